import Hummingbird

/// Rate limit middleware, by client address: refuses a client that sends more requests than its address may.
struct RateLimitMiddleware: RouterMiddleware {
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
