import BackendAPI
import HTTPTypes
import Hummingbird
import ServerCore
import UAF

/// What the routes of all services share: who asks, what the user may take, and how cookies are set.
struct ServiceDoor: Sendable {
    let services: ServerServices
    let origins: OriginRule
    let userBuckets: TokenBuckets
    let clock: any WallClock

    /// Who sends the request; a cookie from a page of another origin is refused.
    func authorization(of exchange: Exchange) async throws -> RequestAuthorization {
        let credentials = credentials(of: exchange)
        if credentials.bearerToken == nil && credentials.sessionCookie != nil {
            try origins.requireOwn(exchange.request)
        }
        do throws(ServerError) {
            return try await services.authorization.authorization(
                bearerToken: credentials.bearerToken, sessionCookie: credentials.sessionCookie)
        } catch {
            throw RequestRefusal(error)
        }
    }

    /// What is known about the sender, for the audit.
    func client(of exchange: Exchange) -> ClientContext {
        ClientContext(
            address: exchange.context.clientAddress, userAgent: exchange.request.headers[.userAgent],
            traceID: exchange.context.traceID, sessionCookie: credentials(of: exchange).sessionCookie)
    }

    /// Takes one of the requests that this client may send for one user.
    func countRequest(for name: UserName?, _ exchange: Exchange) throws(RequestRefusal) {
        guard let name else { return }
        let key = "\(exchange.context.addressKey) \(name.text)"
        guard case .refused(let seconds) = userBuckets.take(for: key) else { return }
        throw .tooManyRequests(retryAfterSeconds: seconds)
    }

    /// Headers that set a session cookie; none when there is none to set.
    func headers(setting cookie: SessionCookie?) -> HTTPFields {
        guard let cookie else { return [:] }
        var text = "\(services.settings.sessions.cookieName)=\(cookie.value)"
        if let end = cookie.expiresAt { text += "; Max-Age=\(max(0, (end - clock.now()).components.seconds))" }
        return [.setCookie: text + "; Path=/; Secure; HttpOnly; SameSite=Strict"]
    }

    private func credentials(of exchange: Exchange) -> PresentedCredentials {
        PresentedCredentials(of: exchange.request, cookieName: services.settings.sessions.cookieName)
    }
}
