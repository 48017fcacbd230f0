import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Octets
import OpenID
import ServerCore
import SignInPages
import TestSupport
import Testing
import UAF
import UAFService

@testable import ServerHTTP

/// Routes of the pages over scripted sign-ins at the client `shop`.
struct PageRouteStage {
    let signIns: ScriptedSignIns
    private let application: Application<ServiceResponder>
    let clock: ManualClock

    /// Without `hasPages` there is only the page at the address of the service.
    init(hasPages: Bool = true, passkeys: ScriptedPasskeys? = nil) async throws {
        let server = try await ServerFixture.open()
        clock = server.clock
        var client = RegisteredClient(id: try #require(ClientID("shop")), name: "Shop", authentication: .none)
        client.origins = ["https://shop.example.com"]
        signIns = ScriptedSignIns(
            client, redirect: try #require(RedirectAddress("https://shop.example.com/signed-in")), clock: server.clock)
        let (limits, metrics, services) = (RequestLimits(), MetricsRegistry(), server.services)
        let routing = HTTPRouting(limits: limits, metrics: metrics, now: { 0 })
        let shared = RouteServices(
            services: services,
            authenticator: RequestAuthenticator(
                service: services.authorization, cookieName: services.settings.sessions.cookieName,
                origins: OriginRule(publicOrigin: "https://server.example")),
            userBuckets: TokenBuckets(
                limit: limits.perUser, sharedAs: .userRequests, services.signals, elapsed: { .zero }),
            clock: server.clock, operations: OperationMetrics(metrics))
        var sites = ConfiguredServices()
        sites.front = PlainPages()
        let pages = PlainPages(passkeys: passkeys, holder: try Self.visitor(at: clock.now()))
        sites.pages = hasPages ? pages : nil
        sites.signIns = signIns
        sites.starter = signIns
        let responder = routing.responder { PageRoutes(shared: shared, sites: sites).add(to: $0) }
        application = Application(responder: responder)
    }

    /// Path of the page.
    var page: String { "/sign-in/\(signIns.id.text)" }

    /// State of a confirmed sign-in.
    func confirmed() throws -> ConfirmationState {
        let visitor = try Self.visitor(at: clock.now())
        return .confirmed(
            OpenID.Confirmation(
                id: visitor.session.ceremony, user: visitor.user, authenticatedAt: clock.now(),
                evidence: visitor.session.evidence, assurance: .key, text: nil))
    }

    private static func visitor(at now: Timestamp) throws -> PageVisitor {
        let random = SeededRandom()
        let user = User(
            id: UserID(from: random), name: try #require(UserName("ada")), externalID: try #require(UserName("id")),
            createdAt: now)
        let session = BrowserSession(
            id: BrowserSessionID(from: random), cookie: ProviderCookieHash(of: "provider".utf8), userID: user.id,
            ceremony: CeremonyID(from: random), assurance: .key, authenticatedAt: now,
            evidence: RequestAuthorization.Evidence(authenticatedAt: now), expiresAt: now + .seconds(60))
        return PageVisitor(user: user, session: session)
    }

    /// Opens the page, and reads the token of its form.
    func token() async throws -> String {
        let page = try await get(self.page)
        return String(String(buffer: page.body).dropFirst("sign-in ".count))
    }

    func get(
        _ path: String, accept: String = "text/html", origin: String? = nil, cookie: String? = nil,
        knownTag: String? = nil
    ) async throws -> TestResponse {
        var headers = headers(origin, cookie)
        headers[.accept] = path.hasPrefix("/sign-in-") ? "*/*" : accept
        headers[.ifNoneMatch] = knownTag
        return try await send(path, .get, headers, nil)
    }

    func post(
        _ body: String, origin: String? = nil, cookie: String? = nil, query: String = ""
    ) async throws -> TestResponse {
        var headers = headers(origin, cookie)
        headers[.contentType] = ServiceClient.form
        headers[.accept] = "text/html"
        return try await send(page + query, .post, headers, ByteBuffer(string: body))
    }

    /// Posts a form of the page of the devices, with its token.
    func post(toDevices body: String) async throws -> TestResponse {
        let token = FormToken(cookie: Sensitive("provider"), session: SignInPages.devicesClient)?.text ?? ""
        var headers = headers(nil, "__Host-signet-provider=provider")
        headers[.contentType] = ServiceClient.form
        headers[.accept] = "text/html"
        return try await send("/my-devices", .post, headers, ByteBuffer(string: body + "&form_token=\(token)"))
    }

    private func headers(_ origin: String?, _ cookie: String?) -> HTTPFields {
        var headers = HTTPFields()
        headers[.origin] = origin
        let sent = cookie ?? "__Host-signet-browser=\(ScriptedSignIns.cookie)"
        if !sent.isEmpty { headers[.cookie] = sent }
        return headers
    }

    private func send(
        _ path: String, _ method: HTTPRequest.Method, _ headers: HTTPFields, _ body: ByteBuffer?
    ) async throws -> TestResponse {
        try await application.test(.router) { client in
            try await client.execute(uri: path, method: method, headers: headers, body: body)
        }
    }
}
