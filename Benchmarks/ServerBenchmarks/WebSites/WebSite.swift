import BackendAPI
import Crypto
import NIOHTTP1
import Octets

/// Server of a web site that signs people in by code and asks them to confirm by CIBA; a client with a secret.
struct WebSite: Sendable {
    /// Name of the client.
    private static let name = "shop"
    /// Address to which browsers are sent back.
    static let redirect = "https://shop.example/back"
    /// Secret of the client.
    static let secret = "benchmark-site-secret-0123456789-0123456789"
    /// File of it, in the folder of the configuration.
    static let secretFile = "site.secret"

    /// Section of the configuration that switches the OpenID Provider on for this client.
    ///
    /// Pages live for the longest time that is allowed, so that the pages of a load outlive it.
    static let settings = """
        openid:
          enabled: true
          session-lifetime: 30m
          clients:
            - { id: \(name), name: Shop, secret-file: \(secretFile), redirect-addresses: ["\(redirect)"], ciba: poll }

        """

    private static let backchannelGrant = "urn:openid:params:grant-type:ciba"
    private static let proof: HTTPHeaders = ["Authorization": "Basic \(Base64.encode("\(name):\(secret)".utf8))"]

    private let connection: PhoneConnection

    /// Server of the site that reaches the provider over a connection of its own.
    init(over connection: PhoneConnection) {
        self.connection = connection
    }

    // MARK: - Code

    /// Request of a browser for a code: PKCE with S256, state and nonce, new ones for each.
    struct CodeRequest: Sendable {
        /// Verifier that the site keeps (RFC 7636, 4.1).
        let verifier = WebSite.random()
        /// State that comes back with the code.
        let state = WebSite.random()
        private let nonce = WebSite.random()

        /// Path and query of the authorization endpoint.
        var path: String {
            let challenge = Base64URL.encode(Array(SHA256.hash(data: Array(verifier.utf8))))
            let query: WebForm = [
                "response_type": "code", "client_id": WebSite.name, "redirect_uri": WebSite.redirect,
                "scope": "openid profile", "state": state, "nonce": nonce, "code_challenge": challenge,
                "code_challenge_method": "S256",
            ]
            return Endpoint.authorize.path + "?" + query.text
        }
    }

    /// Exchanges the code in the address to which a browser was sent back; throws unless tokens come.
    func exchange(_ address: String, of request: CodeRequest) async throws {
        let fields = Self.query(of: address)
        guard address.hasPrefix(Self.redirect + "?"), fields["state"] == request.state, let code = fields["code"] else {
            throw BenchmarkFailure.wrongAnswer(step: "way back to the site", came: address)
        }
        try await tokens([
            "grant_type": "authorization_code", "code": code, "redirect_uri": Self.redirect,
            "code_verifier": request.verifier,
        ])
    }

    /// Fields of the query of an address; codes and states have no character that would be escaped.
    private static func query(of address: String) -> [String: String] {
        let pairs = address.split(separator: "?").last?.split(separator: "&") ?? []
        let fields = pairs.map { $0.split(separator: "=", maxSplits: 1).map(String.init) }.filter { $0.count == 2 }
        return Dictionary(fields.map { ($0[0], $0[1]) }) { $1 }
    }

    // MARK: - CIBA

    /// Begins a request for a user, who is shown a text; the name of the request.
    func ask(_ user: String, toConfirm text: String) async throws -> String {
        let form: WebForm = ["login_hint": user, "scope": "openid", "binding_message": text]
        let answer = try await connection.post(
            form, to: .backchannelAuthorize, at: Endpoint.backchannelAuthorize.path, Self.proof)
        return try answer.text("auth_req_id")
    }

    /// Polls for the tokens of a request; throws unless they come.
    func poll(_ request: String) async throws {
        try await tokens(["grant_type": Self.backchannelGrant, "auth_req_id": request])
    }

    private func tokens(_ form: WebForm) async throws {
        let answer = try await connection.post(form, to: .clientToken, at: Endpoint.clientToken.path, Self.proof)
        guard try answer.text("token_type") == "Bearer" else { throw answer.failure("token of the type Bearer") }
        _ = try answer.text("access_token")
        guard try answer.text("id_token").split(separator: ".").count == 3 else {
            throw answer.failure("signed ID token")
        }
    }

    /// Closes the connection.
    func hangUp() async throws { try await connection.close() }

    /// Random value of 256 bits as base64url, in 43 characters.
    private static func random() -> String {
        Base64URL.encode(SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) })
    }
}
