import BackendAPI
import HTTPTypes
import Hummingbird
import Octets
import ServerCore
import UAF

/// Services that all routes share: authorization of senders, rate limits by user, and cookies.
struct ServiceDoor: Sendable {
    let services: ServerServices
    let origins: OriginRule
    let userBuckets: TokenBuckets
    let clock: any WallClock
    let operations: OperationMetrics

    /// Authorization of the sender; a cookie from a page of another origin is refused.
    func authorization(of exchange: Exchange) async throws -> RequestAuthorization {
        let credentials = credentials(of: exchange)
        if credentials.bearerToken == nil && credentials.sessionCookie != nil {
            try origins.requireOwn(exchange.request)
        }
        do throws(ServerError) {
            return try await services.authorization.authorization(
                bearerToken: credentials.bearerToken?.reveal(), sessionCookie: credentials.sessionCookie?.reveal())
        } catch {
            throw RequestRefusal(error)
        }
    }

    /// Authorization to begin or follow an operation; a bearer token may be an access key.
    func initiator(of exchange: Exchange) async throws -> InitiatorAuthorization {
        let credentials = credentials(of: exchange)
        if credentials.bearerToken == nil && credentials.sessionCookie != nil {
            try origins.requireOwn(exchange.request)
        }
        do throws(ServerError) {
            return try await services.authorization.initiator(
                bearerToken: credentials.bearerToken?.reveal(), sessionCookie: credentials.sessionCookie?.reveal())
        } catch {
            throw RequestRefusal(error)
        }
    }

    /// Context of the sender, for the audit.
    func client(of exchange: Exchange) -> ClientContext {
        ClientContext(
            address: exchange.context.clientAddress, userAgent: exchange.request.headers[.userAgent],
            traceID: exchange.context.traceID,
            bindingCookie: PresentedCredentials.cookie(
                services.settings.sessions.bindingCookieName, of: exchange.request))
    }

    /// Takes one of the requests that this client may send for one user.
    func countRequest(for name: UserName?, _ exchange: Exchange) throws(RequestRefusal) {
        guard let name else { return }
        let key = "\(exchange.context.network) \(name.text)"
        guard case .refused(let seconds) = userBuckets.take(for: key) else { return }
        throw .tooManyRequests(retryAfterSeconds: seconds)
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

    /// Takes one of the wrong tokens that a client may try.
    func countFailedRedemption(_ exchange: Exchange) throws(RequestRefusal) {
        guard case .refused(let seconds) = userBuckets.take(for: "\(exchange.context.network) redeem") else {
            return
        }
        throw .tooManyRequests(retryAfterSeconds: seconds)
    }

    /// Headers that set the session cookie; none when there is none to set.
    func headers(setting cookie: SessionCookie?) -> HTTPFields {
        guard let cookie else { return [:] }
        return setting(services.settings.sessions.cookieName, to: cookie)
    }

    /// Headers that set the cookie which ties an answer to its request; none when there is none to set.
    func headers(binding cookie: SessionCookie?) -> HTTPFields {
        guard let cookie else { return [:] }
        return setting(services.settings.sessions.bindingCookieName, to: cookie)
    }

    /// Headers that make a browser forget the session cookie.
    var headersClearingSession: HTTPFields {
        [.setCookie: "\(services.settings.sessions.cookieName)=; Max-Age=0" + Self.cookieAttributes]
    }

    private static let cookieAttributes = "; Path=/; Secure; HttpOnly; SameSite=Strict"

    private func setting(_ name: String, to cookie: SessionCookie) -> HTTPFields {
        var text = "\(name)=\(cookie.value)"
        if let end = cookie.expiresAt { text += "; Max-Age=\(max(0, (end - clock.now()).components.seconds))" }
        return [.setCookie: text + Self.cookieAttributes]
    }

    /// Credentials that came with a request, not yet verified.
    func credentials(of exchange: Exchange) -> PresentedCredentials {
        PresentedCredentials(of: exchange.request, cookieName: services.settings.sessions.cookieName)
    }
}

/// Credentials that came with a request; nothing of them is verified yet.
struct PresentedCredentials: Sendable {
    /// The token of `Authorization: Bearer`; empty, which no token is, when the header says something else.
    let bearerToken: Sensitive<String>?
    /// The value of the session cookie.
    let sessionCookie: Sensitive<String>?

    /// Reads both from a request.
    init(of request: Request, cookieName: String) {
        bearerToken = request.headers[.authorization].map { Sensitive(Self.token(in: $0) ?? "") }
        sessionCookie = Self.cookie(cookieName, of: request)
    }

    /// The value of a cookie; nil when the request carries none of this name.
    static func cookie(_ name: String, of request: Request) -> Sensitive<String>? {
        request.headers[values: .cookie].lazy.compactMap { value(of: name, in: $0) }.first.map(Sensitive.init)
    }

    /// RFC 6750, 2.1.
    private static func token(in field: String) -> String? {
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased().hasSameOctets(as: "bearer") else { return nil }
        return String(parts[1])
    }

    /// RFC 6265, 4.2.1.
    private static func value(of name: String, in field: String) -> String? {
        for pair in field.utf8.split(separator: UInt8(ascii: ";")) {
            let trimmed = pair.drop { $0 == UInt8(ascii: " ") }
            let halves = trimmed.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2, halves[0].elementsEqual(name.utf8) else { continue }
            return String(halves[1])
        }
        return nil
    }
}
