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
