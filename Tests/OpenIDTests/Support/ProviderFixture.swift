import BackendAPI
import Crypto
import JOSE
import Octets
import OpenID
import ServerCore
import ServerPersistence
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

/// Provider on a real database, with a user who has a phone; the test answers in place of the phone.
struct ProviderFixture {
    static let issuer = "https://login.example.com"
    static let secret = String(repeating: "s", count: 43)
    static let back = "https://shop.example.com/back"
    static let verifier = String(repeating: "v", count: 43)

    let phone: SyntheticAuthenticator
    let server: TestServer
    let user: User
    let confirmations: ScriptedConfirmations
    let sender = ScriptedSender()
    let passkeyModels = PasskeyModels()
    let services: OpenIDServices
    let registry: StoredClientRegistry
    let settings: OpenIDSettings.Provider

    /// Opens a provider with the clients `shop`, `other` and `app`, and those that are named; codes have digits by
    /// `linking`, and what has digits has `digitCount` of them.
    init(
        clients more: [RegisteredClient] = [], linking: ChannelLinkingMethod = .none, digitCount: Int = 2,
        _ change: (inout OpenIDSettings.Provider) -> Void = { _ in }
    ) async throws {
        phone = try SyntheticAuthenticator()
        server = try await TestServer(authenticators: [phone]) {
            $0.outOfBand.linking.scan = linking
            $0.outOfBand.linking.digitCount = digitCount
        }
        user = try await server.services.users.add(name: "jeff", externalID: "ext-jeff")
        try await server.register(phone, for: user)
        confirmations = ScriptedConfirmations(
            random: server.random, clock: server.clock, transactions: server.openID)
        var settings = OpenIDSettings.Provider()
        settings.clients = try [Self.shop(), Self.other(), Self.app()] + more
        change(&settings)
        self.settings = settings
        registry = StoredClientRegistry(
            configured: settings.clients, reserved: ["signet"], transactions: server.openID, clock: server.clock)
        services = try Self.services(
            of: settings, on: server, with: registry, confirming: confirmations, fetcher: sender,
            passkeyModels)
    }

    /// Services of the same provider, whose confirmations come from elsewhere.
    func services(confirming confirmations: any ConfirmationService) throws -> OpenIDServices {
        try Self.services(
            of: settings, on: server, with: registry, confirming: confirmations, fetcher: sender,
            passkeyModels)
    }

    private static func services(
        of settings: OpenIDSettings.Provider, on server: TestServer, with registry: StoredClientRegistry,
        confirming confirmations: any ConfirmationService, fetcher: ScriptedSender,
        _ models: PasskeyModels
    ) throws -> OpenIDServices {
        var sites = OpenIDSettings()
        sites.openID = settings
        var provider = OpenIDServer(server.services, transactions: server.openID, settings: sites)
        provider.passkeyModels = models
        return try #require(
            OpenIDServices(
                provider, at: issuer,
                clients: registry, confirmations: confirmations, receipts: ScriptedReceipts(), fetcher: fetcher))
    }

    // MARK: - Clients

    static func client(
        _ name: String, _ authentication: RegisteredClient.Authentication, redirects: [String]
    ) throws -> RegisteredClient {
        var client = RegisteredClient(
            id: try #require(ClientID(name)), name: name.prefix(1).uppercased() + name.dropFirst(),
            authentication: authentication)
        client.redirects = try redirects.map { try #require(RedirectAddress($0)) }
        return client
    }

    static func shop() throws -> RegisteredClient {
        var shop = try client("shop", .secret(ClientSecretHash(of: secret.utf8)), redirects: [back])
        shop.attributeScopes = ScopeName.ofNewClients
        shop.mayRefresh = true
        shop.mayAskForConfirmation = true
        shop.logoutRedirects = [try #require(RedirectAddress("https://shop.example.com/bye"))]
        shop.logoutAddress = OutgoingAddress("https://shop.example.com/logout")
        return shop
    }

    static func other() throws -> RegisteredClient {
        var other = try client(
            "other", .secret(ClientSecretHash(of: secret.utf8)), redirects: ["https://other.example.com/back"])
        other.backchannel = .poll
        return other
    }

    static func app() throws -> RegisteredClient {
        var app = try client("app", RegisteredClient.Authentication.none, redirects: ["http://127.0.0.1:8123/back"])
        app.mayRefresh = true
        return app
    }

    // MARK: - Browser

    /// Fields of a sound authorization request; nil removes one.
    static func request(_ changes: [String: String?] = [:]) -> OpenIDFields? {
        let challenge = Base64URL.encode(Array(SHA256.hash(data: Array(verifier.utf8))))
        var fields: [String: String] = [
            "client_id": "shop", "response_type": "code", "redirect_uri": back, "scope": "openid profile",
            "state": "st/a te&=1", "nonce": "n-1", "code_challenge": challenge, "code_challenge_method": "S256",
        ]
        for (name, value) in changes { fields[name] = value }
        return OpenIDFields(fields.map { (name: $0.key, value: $0.value) })
    }

    /// Sends an authorization request.
    func authorize(
        _ changes: [String: String?] = [:], browser: String? = nil, provider cookie: String? = nil,
        from address: String = "192.0.2.1"
    ) async throws -> AuthorizationAnswer {
        let fields = try #require(Self.request(changes))
        return try await services.authorization.authorize(
            fields, browser: Self.cookies(browser: browser, provider: cookie),
            client: ClientContext(address: address))
    }

    static func cookies(browser: String?, provider: String? = nil) -> BrowserCookies {
        BrowserCookies(browser: browser.map { Sensitive($0) }, provider: provider.map { Sensitive($0) })
    }

    /// A sign-in page that was opened, with the cookie of its browser.
    func open(
        _ changes: [String: String?] = [:], from address: String = "192.0.2.1"
    ) async throws -> (entry: OpenSignIn, browser: String) {
        let answer = try await authorize(changes, from: address)
        let id = try #require(answer.signIn)
        let browser = try #require(answer.cookie(BrowserCookies.browserName))
        let entry = try #require(try await services.signIns.session(id, browser: Self.cookies(browser: browser)))
        return (entry: entry, browser: browser)
    }

    /// The session as it stands now.
    func again(_ entry: OpenSignIn, browser: String, provider: String? = nil) async throws -> OpenSignIn {
        try #require(
            try await services.signIns.session(
                entry.session.id, browser: Self.cookies(browser: browser, provider: provider)))
    }

    /// Answers the last ceremony of a page as the user's phone does.
    func confirm(_ begun: BegunConfirmation, assurance: Assurance = .chip, text: String? = nil) async throws {
        try await confirm(begun.id, assurance: assurance, text: text)
    }

    /// Answers a ceremony as the user's phone does.
    func confirm(
        _ id: CeremonyID, assurance: Assurance = .chip, text: String? = nil, by other: User? = nil
    ) async throws {
        let user = other ?? user
        let keys = try await server.storage.credentials.credentials(of: user.id)
        let evidence = RequestAuthorization.Evidence(
            authenticatedAt: server.clock.now(), registrations: keys.map(\.registrationID))
        confirmations.answer(
            id,
            .confirmed(
                OpenID.Confirmation(
                    id: id, user: user, authenticatedAt: server.clock.now(), evidence: evidence,
                    assurance: assurance, text: text ?? confirmations.orders.last?.text)))
    }

    /// Signs in from the request to the answer that the browser carries back, perhaps with a cookie that it has already.
    func signIn(
        _ changes: [String: String?] = [:], provider: String? = nil, by user: User? = nil, assurance: Assurance = .chip
    ) async throws -> AuthorizationAnswer {
        let (entry, browser) = try await open(changes)
        let begun = try await services.starter.begin(.code, in: entry, client: ClientContext())
        try await confirm(begun.id, assurance: assurance, by: user)
        return try await services.signIns.finish(
            try await again(entry, browser: browser, provider: provider), client: ClientContext())
    }

    /// A code for `shop`, or for the client that the changes name.
    func code(_ changes: [String: String?] = [:]) async throws -> String {
        try #require(try await signIn(changes).query["code"])
    }

    /// Says of the registered keys that they are in a chip, or that nothing is known.
    func protectKeys(as method: Assurance) async throws {
        let protection = ["urn:signet:acr:chip": "chip", "urn:signet:acr:chip-pin": "chip-pin"][method.rawValue]
        try await server.database.transaction { connection throws(ServerPersistenceError) in
            _ = try connection.execute("UPDATE credentials SET protection = $1", [.text(protection ?? "unproved")])
        }
    }

    // MARK: - Client

    func clientRequest(
        _ fields: [String: String], client: String = "shop", authorization: String? = nil,
        proofs: [String] = []
    ) throws -> ClientRequest {
        var fields = fields
        if authorization == nil, fields["client_assertion"] == nil {
            fields["client_id"] = client
            if client != "app" { fields["client_secret"] = Self.secret }
        }
        return ClientRequest(
            fields: try #require(OpenIDFields(fields.map { (name: $0.key, value: $0.value) })),
            authorization: authorization.map { Sensitive($0) }, address: Self.issuer + "/oauth2/token",
            client: ClientContext(), proofs: proofs)
    }

    private func served(
        _ request: ClientRequest, _ body: (RegisteredClient) async throws(OpenIDRefusal) -> [UInt8]
    ) async throws(OpenIDRefusal) -> [UInt8] {
        let client = try await services.authentication.authenticate(request)
        return try await serving(client) { () async throws(OpenIDRefusal) in try await body(client) }
    }

    func push(_ request: ClientRequest) async throws(OpenIDRefusal) -> [UInt8] {
        try await served(request) { client async throws(OpenIDRefusal) in
            try await services.pushed.push(request, of: client)
        }
    }

    func tokens(_ request: ClientRequest) async throws(OpenIDRefusal) -> [UInt8] {
        try await served(request) { client async throws(OpenIDRefusal) in
            try await services.tokens.answer(request, of: client)
        }
    }

    func userInformation(
        _ token: String?, as scheme: PresentedAccessToken.Scheme = .bearer, proofs: [String] = []
    ) async throws(OpenIDRefusal) -> [UInt8] {
        let proof = PresentedKeyProof(proofs, method: "GET", address: Self.issuer + "/oauth2/userinfo")
        return try await services.bearers.userInformation(PresentedAccessToken(token, as: scheme, with: proof))
    }

    func introspect(_ request: ClientRequest) async throws(OpenIDRefusal) -> [UInt8] {
        try await served(request) { client async throws(OpenIDRefusal) in
            try await services.bearers.introspect(request.fields, by: client)
        }
    }

    func revoke(_ request: ClientRequest) async throws(OpenIDRefusal) {
        _ = try await served(request) { client async throws(OpenIDRefusal) in
            try await services.bearers.revoke(request.fields, by: client, request.client)
            return []
        }
    }

    /// Exchanges a code.
    func exchange(
        _ code: String, redirect: String = ProviderFixture.back, verifier: String? = ProviderFixture.verifier,
        client: String = "shop"
    ) async throws -> JSONObject {
        var fields = ["grant_type": "authorization_code", "code": code, "redirect_uri": redirect]
        fields["code_verifier"] = verifier
        return try await object(tokens(try clientRequest(fields, client: client)))
    }

    /// Exchanges a refresh token.
    func refresh(_ token: String, client: String = "shop", scope: String? = nil) async throws -> JSONObject {
        var fields = ["grant_type": "refresh_token", "refresh_token": token]
        fields["scope"] = scope
        return try await object(tokens(try clientRequest(fields, client: client)))
    }

    func introspect(_ token: String, client: String = "shop") async throws -> JSONObject {
        try await object(introspect(try clientRequest(["token": token], client: client)))
    }

    /// Kinds of the records of the audit.
    func auditKinds() async throws -> [String] {
        let chain = server.services.settings.instanceName
        return try await server.storage.audit.records(of: chain, after: 0, limit: 1_000).map { record in
            try object(record.event).string("event")
        }
    }

    func object(_ octets: [UInt8]) throws -> JSONObject { try JSONParser.parse(octets).asObject() }

    /// Claims of an ID token that the key set of the provider verifies.
    func claims(_ token: String) async throws -> JWTClaims {
        let keys = try JWKS(json: try await services.keys.keySetDocument)
        return try JWTClaims(payload: try CompactJWS(parsing: token).verified(by: keys).payload)
    }
}

extension AuthorizationAnswer {
    /// Page that the answer opens.
    var signIn: AuthorizationSessionID? {
        if case .signIn(let id) = destination { id } else { nil }
    }

    /// Address that the answer leads to.
    var address: String? {
        if case .redirect(let address) = destination { address.reveal() } else { nil }
    }

    /// Form that the answer posts.
    var form: AnswerForm? {
        if case .form(let form) = destination { form } else { nil }
    }

    /// Fields of that form, each of which stands once.
    var posted: [String: String] {
        Dictionary((form?.fields.reveal() ?? []).map { ($0.name, $0.value) }, uniquingKeysWith: { _, _ in "twice" })
    }

    /// Query of that address.
    var query: [String: String] {
        let parts = (address ?? "").split(separator: "?", maxSplits: 1)
        let pairs = parts.count == 2 ? FormPairs.read(Array(parts[1].utf8)) ?? [] : []
        return Dictionary(pairs.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// Cookie that the answer sets.
    func cookie(_ name: String) -> String? { cookies.first { $0.name == name }?.value?.reveal() }
}
