import Hummingbird
import ServerCore

/// Determines the client of a request that trusted proxies pass on, before anything counts or logs it.
struct ClientAddress: RouterMiddleware {
    typealias Context = BackendRequestContext

    let proxies: ProxySettings

    func handle(
        _ request: Request, context: BackendRequestContext,
        next: @concurrent (Request, BackendRequestContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        if let peer = context.client, !proxies.trusted.isEmpty {
            context.client = ForwardedChain.client(of: request.headers, peer: peer, proxies: proxies)
        }
        return try await next(request, context)
    }
}

/// Rate limit by client address: refuses a client that sends more requests than its address may.
struct ClientAddressLimit: RouterMiddleware {
    typealias Context = BackendRequestContext

    let buckets: TokenBuckets

    func handle(
        _ request: Request, context: BackendRequestContext,
        next: @concurrent (Request, BackendRequestContext) async throws -> Response
    ) async throws -> Response {
        switch buckets.take(for: context.network) {
        case .allowed: return try await next(request, context)
        case .refused(let seconds): throw RequestRefusal.tooManyRequests(retryAfterSeconds: seconds)
        }
    }
}
