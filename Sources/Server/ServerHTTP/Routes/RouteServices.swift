import BackendAPI
import HTTPTypes
import Hummingbird
import ServerCore
import UAF
import UAFService

/// Services that all routes share: authentication of senders, rate limits by user, and cookies.
struct RouteServices: Sendable {
    let services: ServerServices
    let authenticator: RequestAuthenticator
    let userBuckets: TokenBuckets
    let clock: any WallClock
    let operations: OperationMetrics
    /// Requests that an address may send without a good secret; nil where nothing limits them.
    var addressBuckets: TokenBuckets?

    func client(of exchange: Exchange) -> ClientContext {
        ClientContext(
            address: exchange.context.senderAddress, userAgent: exchange.request.headers[.userAgent],
            traceID: exchange.context.traceID,
            bindingCookie: authenticator.cookie(services.settings.sessions.bindingCookieName, of: exchange),
            exchange: exchange.id)
    }

    /// Address of the service as clients call it.
    func address(of exchange: Exchange) -> String { services.settings.outOfBand.origin + exchange.endpoint.path }

    /// Takes one of the requests that this client may send for one user.
    func countRequest(for name: UserName?, _ exchange: Exchange) throws(RequestRefusal) {
        if let name { try take("\(exchange.context.network) \(name.text)") }
    }

    /// Takes one of the requests that a page may send in its browser: its address has no part in it.
    func countRequest(ofPage id: String) throws(RequestRefusal) { try take("page \(id)") }

    /// Takes one of the wrong tokens that a client may try.
    func countFailedRedemption(_ exchange: Exchange) throws(RequestRefusal) {
        try take("\(exchange.context.network) redeem")
    }

    /// Takes one of the requests that an address may send about attestation keys: certificates are costly to verify.
    func countEnrolment(_ exchange: Exchange) throws(RequestRefusal) {
        try take("\(exchange.context.network) attestation")
    }

    private func take(_ key: String) throws(RequestRefusal) {
        guard case .refused(let seconds) = userBuckets.take(for: key) else { return }
        throw .tooManyRequests(retryAfterSeconds: seconds)
    }

    /// Seconds after which an address may send what proves nothing to a service that takes secrets; nil: now.
    func waitWithoutSecret(_ exchange: Exchange) -> Int? {
        guard case .refused(let seconds)? = addressBuckets?.take(for: exchange.context.network) else { return nil }
        return seconds
    }

    /// Counts the version of the application that a response was accepted from, as its `User-Agent` tells it at the end
    /// (`… com.example.app/5.2.0`), where the operator names versions of it.
    func countApplication(of exchange: Exchange, _ accepted: AcceptedAnswer) {
        let applications = services.acceptance.current.applicationVersions
        guard !applications.isEmpty, accepted.message.statusCode == .ok,
            let product = exchange.request.headers[.userAgent]?.split(separator: " ").last,
            let slash = product.lastIndex(of: "/"),
            let version = ApplicationVersion(String(product[slash...].dropFirst()))
        else { return }
        for kind in ["ios:bundle-id:", "linux:app-id:"] {
            guard let application = FacetID(kind + product[..<slash]).flatMap({ applications[$0] }) else { continue }
            services.applicationUse.count(version, of: application.facet)
            return operations.count(version, of: application)
        }
    }

    /// Runs the handler of a signed request, and counts what is refused.
    func counted(_ handler: () async throws -> Response) async throws -> Response {
        do {
            return try await handler()
        } catch let error as ServerError {
            let refusal = RequestRefusal(error)
            if refusal.status == .unauthorized { operations.count(refused: refusal.code) }
            throw refusal
        }
    }

    func headers(setting cookie: SessionCookie?) -> HTTPFields {
        guard let cookie else { return [:] }
        return setting(services.settings.sessions.cookieName, to: cookie)
    }

    /// Headers that set the cookie which ties an answer to its request; none when there is none to set.
    func headers(binding cookie: SessionCookie?) -> HTTPFields {
        guard let cookie else { return [:] }
        return setting(services.settings.sessions.bindingCookieName, to: cookie)
    }

    var headersClearingSession: HTTPFields {
        [.setCookie: "\(services.settings.sessions.cookieName)=; Max-Age=0" + Self.cookieAttributes]
    }

    private static let cookieAttributes = "; Path=/; Secure; HttpOnly; SameSite=Strict"

    private func setting(_ name: String, to cookie: SessionCookie) -> HTTPFields {
        [.setCookie: "\(name)=\(cookie.value)" + attributes(until: cookie.expiresAt)]
    }

    /// Field that sets the cookie of a browser in which a user has logged in with the password.
    func known(_ value: String, until end: Timestamp) -> String {
        "\(services.settings.sessions.knownCookieName)=\(value)" + attributes(until: end)
    }

    private func attributes(until end: Timestamp?) -> String {
        (end.map { "; Max-Age=\(max(0, ($0 - clock.now()).components.seconds))" } ?? "") + Self.cookieAttributes
    }
}
