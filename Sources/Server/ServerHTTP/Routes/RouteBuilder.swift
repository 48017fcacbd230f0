import HTTPTypes
import Hummingbird

/// Adds routes to a router, each with its endpoint name for the journal and its place in the index.
struct RouteBuilder {
    /// Answers one request.
    typealias Handler = @Sendable (Request, BackendRequestContext) async throws -> Response

    let router: Router<BackendRequestContext>
    let index: RouteIndex

    /// Adds a route; the path is taken with and without a slash at its end.
    func add(_ method: HTTPRequest.Method, _ path: String, _ handler: @escaping Handler) {
        index.insert(method, path)
        router.on(RouterPath(path), method: method) { request, context in
            context.journal.endpoint = path
            return try await handler(request, context)
        }
    }
}
