import BackendAPI
import HTTPTypes
import Hummingbird
import Octets
import ServerCore
import Synchronization

/// Authenticator of requests: who sends one, by its bearer token or its session cookie.
struct RequestAuthenticator: Sendable {
    let service: AuthorizationService
    let cookieName: String
    let origins: OriginRule
    private let requests: AccessKeyRequests

    /// Authenticates by `service`; the limits of access keys are shared over `signals` with the other processes.
    init(
        service: AuthorizationService, cookieName: String, origins: OriginRule,
        signals: ProcessSignals = ProcessSignals(),
        elapsed: @escaping @Sendable () -> Duration = TokenBuckets.sinceStart
    ) {
        self.service = service
        self.cookieName = cookieName
        self.origins = origins
        requests = AccessKeyRequests(signals: signals, elapsed: elapsed)
    }

    /// Authorization of the sender; a cookie from a page of another origin is refused.
    func authorization(of exchange: Exchange) async throws -> RequestAuthorization {
        let credentials = credentials(of: exchange)
        if credentials.bearerToken == nil && credentials.sessionCookie != nil {
            try origins.requireOwn(exchange.request)
        }
        do throws(ServerError) {
            return try await service.authorization(
                bearerToken: credentials.bearerToken?.reveal(), sessionCookie: credentials.sessionCookie?.reveal())
        } catch {
            throw RequestRefusal(error)
        }
    }

    /// Authorization to begin or follow a ceremony; a bearer token may be an access key with this scope.
    func initiator(of exchange: Exchange, scope: AccessKeyScope) async throws -> InitiatorAuthorization {
        let authorization = try await initiator(of: exchange)
        if case .accessKey(let name) = authorization { try require(scope, of: name) }
        return authorization
    }

    /// Access key of a request, with this scope; anything else is unauthorized.
    func accessKey(of exchange: Exchange, scope: AccessKeyScope) async throws -> AccessKeyName {
        try accessKey(of: exchange) { rights in rights.scopes.contains { $0.covers(scope) } }
    }

    /// Access key of a request whose rights suffice; anything else is unauthorized.
    func accessKey(
        of exchange: Exchange, _ suffices: (AccessKeyRights) -> Bool
    ) throws(RequestRefusal) -> AccessKeyName {
        guard let token = credentials(of: exchange).bearerToken,
            let name = service.accessKeys.name(of: token.reveal())
        else { throw .unauthorized }
        try require(name, suffices)
        return name
    }

    /// Access key in a separate header field, where `Authorization` says something else.
    func accessKey(in field: HTTPField.Name, of exchange: Exchange, scope: AccessKeyScope) throws -> AccessKeyName {
        guard let text = exchange.request.headers[field], let name = service.accessKeys.name(of: text) else {
            throw RequestRefusal.unauthorized
        }
        try require(scope, of: name)
        return name
    }

    /// Takes one of the requests of a key; the scope is judged first, so that a key without it uses nothing up.
    func require(_ scope: AccessKeyScope, of name: AccessKeyName) throws(RequestRefusal) {
        try require(name) { rights in rights.scopes.contains { $0.covers(scope) } }
    }

    /// Takes one of the requests of a key whose rights suffice.
    func require(_ name: AccessKeyName, _ suffices: (AccessKeyRights) -> Bool) throws(RequestRefusal) {
        guard let rights = service.accessKeys.rights(of: name) else { throw .unauthorized }
        guard suffices(rights) else { throw .insufficientScope }
        guard case .refused(let seconds) = requests.take(for: name, rights.limit) else { return }
        throw .tooManyRequests(retryAfterSeconds: seconds)
    }

    private func initiator(of exchange: Exchange) async throws -> InitiatorAuthorization {
        let credentials = credentials(of: exchange)
        if credentials.bearerToken == nil && credentials.sessionCookie != nil {
            try origins.requireOwn(exchange.request)
        }
        do throws(ServerError) {
            return try await service.initiator(
                bearerToken: credentials.bearerToken?.reveal(), sessionCookie: credentials.sessionCookie?.reveal())
        } catch {
            throw RequestRefusal(error)
        }
    }

    /// Credentials that came with a request, not yet verified.
    func credentials(of exchange: Exchange) -> PresentedCredentials {
        PresentedCredentials(of: exchange.request, cookieName: cookieName)
    }

    func cookie(_ name: String, of exchange: Exchange) -> Sensitive<String>? {
        PresentedCredentials.cookie(name, of: exchange.request)
    }
}

/// Requests that each access key may still make; a key whose limit was changed begins anew.
private final class AccessKeyRequests: Sendable {
    private let buckets = Mutex<[AccessKeyName: (limit: RateLimit, requests: TokenBuckets)]>([:])
    private let signals: ProcessSignals
    private let elapsed: @Sendable () -> Duration

    init(signals: ProcessSignals, elapsed: @escaping @Sendable () -> Duration) {
        self.signals = signals
        self.elapsed = elapsed
    }

    func take(for name: AccessKeyName, _ limit: RateLimit) -> TokenBuckets.Verdict {
        let requests = buckets.withLock { buckets in
            if let known = buckets[name], known.limit == limit { return known.requests }
            let requests = TokenBuckets(limit: limit, sharedAs: .accessKeys, signals, elapsed: elapsed)
            buckets[name] = (limit, requests)
            return requests
        }
        return requests.take(for: name.text)
    }
}

extension RequestRefusal {
    static let insufficientScope = RequestRefusal(
        .forbidden, .insufficientScope, "The access key does not have the scope of this service.")
}
