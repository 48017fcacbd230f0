import BackendAPI
import Octets
import OpenID
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAF

@testable import ServerHTTP

/// Use of something that was given out, over a socket.
struct RightUse {
    static let verifier = String(repeating: "v", count: 43)

    let client: SocketClient
    let site: SiteFixture
    var right: HeldRight

    /// Whether the server does for the holder what it would do.
    func holds() async throws -> Bool {
        switch right.kind {
        case .sessionCookie, .passwordCookie: try await isLogin(Self.cookie("__Host-signet", right.text))
        case .backendToken, .foreignToken: try await isLogin(Self.bearer(right.text))
        case .registrationChallenge: try await isAccepted(.registrationResponse, right.text)
        case .authenticationChallenge: try await isAccepted(.authenticationResponse, right.text)
        case .userOperation, .invitation: try await redeem(.registration) != nil
        case .portalOperation: try await answersOperation()
        case .operationStatus:
            try SessionStatus(body: try await status(of: right.text).body).result != nil
        case .statusToken:
            try await json("/api/v1/status", #"{"statusToken":"\#(right.text)"}"#).object["token"] != nil
        case .intentToken: try await beginsOperation()
        case .resultToken: try await isActive("/api/v1/introspect", Self.portal)
        case .keptAnswer: try await enroll() == right.first
        case .accessToken: try await isAccess()
        case .refreshToken: try await exchange(["grant_type": "refresh_token", "refresh_token": right.text])
        case .code:
            try await exchange([
                "grant_type": "authorization_code", "code": right.text, "redirect_uri": SiteFixture.back,
                "code_verifier": Self.verifier,
            ])
        case .backchannelRequest:
            try await exchange(["grant_type": "urn:openid:params:grant-type:ciba", "auth_req_id": right.text])
        case .passkeyChallenge: try await #require(right.form).send(by: client).location.contains("code=")
        case .passkeyOffer: try await #require(right.form).send(by: client).status == 200
        case .providerCookie, .passkeyCookie:
            try await location(
                site.authorize(["prompt": "none"]), Self.cookie(BrowserCookies.providerName, right.text)
            ).contains("code=")
        case .pushedRequest:
            try await location("/oauth2/authorize?client_id=shop&request_uri=" + right.text).hasPrefix("/sign-in/")
        case .confirmedPage: try await isConfirmed()
        case .idToken: try await isNamed()
        case .recoveryCookie:
            String(
                decoding: try await send(
                    "GET", "/recover", Self.cookie(BrowserCookies.recoveryName, right.text), accept: "text/html"
                ).body, as: UTF8.self
            ).contains(#"value="invite""#)
        }
    }

    // MARK: - Requests

    typealias Headers = [(name: String, value: String)]

    private static let shop: Headers = [
        (name: "Authorization", value: "Basic " + Base64.encode(Array("shop:\(SiteFixture.secret)".utf8)))
    ]

    private static let portal = bearer(EndsStage.portal)

    private static func bearer(_ token: String) -> Headers { [(name: "Authorization", value: "Bearer " + token)] }

    private static func cookie(_ name: String, _ value: String) -> Headers {
        [(name: "Cookie", value: "\(name)=\(value)")]
    }

    private func send(
        _ method: String, _ path: String, _ headers: Headers = [], body: String = "", type: String? = nil,
        accept: String? = nil
    ) async throws -> SocketClient.Answer {
        var headers = headers
        if let type { headers.append((name: "Content-Type", value: type)) }
        if let accept { headers.append((name: "Accept", value: accept)) }
        let answer = try await client.send(method, path, headers, body: body)
        try #require(answer.status < 500, "the server failed: \(String(decoding: answer.body, as: UTF8.self))")
        return answer
    }

    private func form(
        _ path: String, _ fields: [String: String], _ headers: Headers
    ) async throws -> SocketClient.Answer {
        let body = FormPairs.encode(fields.map { (name: $0.key, value: $0.value) })
        return try await send("POST", path, headers, body: body, type: "application/x-www-form-urlencoded")
    }

    private func json(_ path: String, _ body: String, _ headers: Headers = []) async throws -> SocketClient.Answer {
        try await send("POST", path, headers, body: body, type: "application/json", accept: "application/json")
    }

    // MARK: - Logins and phones

    private func isLogin(_ headers: Headers) async throws -> Bool {
        try await json("/nevisfido/status", #"{"sessionId":"x"}"#, headers).status == 200
    }

    private func status(of id: String) async throws -> SocketClient.Answer {
        try await json("/nevisfido/status", #"{"sessionId":"\#(id)"}"#, Self.portal)
    }

    private func isAccepted(_ endpoint: Endpoint, _ message: String) async throws -> Bool {
        let body = String(decoding: SendUAFResponse(uafResponse: message).body, as: UTF8.self)
        let answer = try await send(
            "POST", Endpoint.serviceRoot + endpoint.path, body: body, type: ServiceClient.uaf,
            accept: "application/fido+uaf")
        return answer.object["statusCode"] == .integer(1200)
    }

    private func redeem(_ operation: OperationKind) async throws -> String? {
        let path = Endpoint.serviceRoot + Endpoint.redeemToken(operation).path
        let body = String(decoding: RedeemRequest(token: right.text).body, as: UTF8.self)
        let answer = try await send(
            "POST", path, body: body, type: "application/json", accept: "application/fido+uaf")
        guard answer.status == 200 else { return nil }
        return try ReturnUAFRequest(body: answer.body).uafRequest
    }

    private func answersOperation() async throws -> Bool {
        guard let text = try await redeem(.authentication),
            case .authentication(let request) = try OperationRequest(message: Array(text.utf8))
        else { return false }
        let phone = SyntheticClient(facet: try #require(FacetID(ServerFixture.facet)))
        let message = try phone.answer(request, with: [right.phone])
        return try await isAccepted(.authenticationResponse, String(decoding: message, as: UTF8.self))
    }

    /// Whether the token begins an approval, which the phone then gives.
    private func beginsOperation() async throws -> Bool {
        let answer = try await json("/api/v1/approval", #"{"channel":"app"}"#, Self.bearer(right.text))
        guard answer.status == 200, let parcel = site.server.link.parcels.last else { return false }
        var begun = self
        begun.right.text = try OutOfBandContent(body: Array(parcel.envelope.content.utf8)).token
        return try await begun.answersOperation()
    }

    // MARK: - Clients and browsers

    private func isActive(_ path: String, _ headers: Headers) async throws -> Bool {
        try await form(path, ["token": right.text], headers).object["active"] == .bool(true)
    }

    /// Whether introspection and userinfo agree that the access token holds.
    private func isAccess() async throws -> Bool {
        let isBearer =
            try await send("GET", "/oauth2/userinfo", Self.bearer(right.text)).status == 200
        #expect(try await isActive("/oauth2/introspect", Self.shop) == isBearer)
        return isBearer
    }

    private func exchange(_ fields: [String: String]) async throws -> Bool {
        try await form("/oauth2/token", fields, Self.shop).object["access_token"] != nil
    }

    private func location(_ path: String, _ headers: Headers = []) async throws -> String {
        try await send("GET", path, headers).location
    }

    private func isConfirmed() async throws -> Bool {
        let cookie = Self.cookie(BrowserCookies.browserName, right.provider ?? "")
        let answer = try await send("GET", "/sign-in-status/\(right.text)", cookie)
        return answer.object["state"] == .string("confirmed")
    }

    private func isNamed() async throws -> Bool {
        let fields = ["scope": "openid", "id_token_hint": right.text]
        return try await form("/oauth2/bc-authorize", fields, Self.shop).object["auth_req_id"] != nil
    }

    // MARK: - Answers that are repeated

    /// Asks for an invitation, with a key under which the same answer comes again; the name of its transaction.
    func enroll() async throws -> String? {
        let headers = Self.portal + [(name: "Idempotency-Key", value: "key-of-" + right.kind.rawValue)]
        let answer = try await json("/api/v1/users/enroll", #"{"username":"\#(right.user.name.text)"}"#, headers)
        return try? answer.object["enrollment"]?.asObject().string("transactionId")
    }

    /// Asks for a token with which an application may ask for an approval.
    func intend() async throws -> String {
        let body = #"{"username":"\#(right.user.name.text)","operation":"approve"}"#
        return try await json("/api/v1/intent", body, Self.portal).object.string("token")
    }

    /// Asks for an approval by a phone; the status token.
    func approve() async throws -> String {
        let headers = Self.portal + [(name: "Idempotency-Key", value: "key-of-" + right.kind.rawValue)]
        let body = #"{"username":"\#(right.user.name.text)","channel":"app"}"#
        return try await json("/api/v1/approval", body, headers).object.string("statusToken")
    }
}
