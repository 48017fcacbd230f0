import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// Turns whatever a handler throws into an answer that gives nothing away, and dresses every answer.
struct Boundary: RouterMiddleware {
    typealias Context = BackendRequestContext

    let routes: RouteIndex
    let errors: ErrorAnswer

    func handle(
        _ request: Request, context: BackendRequestContext,
        next: @concurrent (Request, BackendRequestContext) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            response = try await next(request, context)
        } catch {
            response = answer(to: request, context, error)
        }
        SecurityHeaders.apply(to: &response.headers)
        return response
    }

    private func answer(to request: Request, _ context: BackendRequestContext, _ error: any Error) -> Response {
        let refusal: RequestRefusal
        switch error {
        case let known as RequestRefusal: refusal = known
        case let unrouted as HTTPError where unrouted.status == .notFound: refusal = routes.refusal(of: request)
        default:
            context.logger.error("unexpected error", metadata: ["error": "\(type(of: error))"])
            refusal = .failed
        }
        var response = errors.response(for: refusal, path: request.uri.path, traceID: context.traceID)
        if refusal.endsConnection {
            response.headers[.connection] = "close"
            endConnection(context.channel)
        }
        return response
    }

    /// Closes the connection once the answer had time to leave; the unread rest of the body is not waited for.
    private func endConnection(_ channel: any Channel) {
        channel.eventLoop.scheduleTask(in: .seconds(1)) { channel.close(promise: nil) }
    }
}
