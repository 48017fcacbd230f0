import HTTPTypes
import Hummingbird
import Logging

/// Error middleware: refuses what could be read in two ways, turns that and whatever a handler throws into a response
/// that gives nothing away, and adds the security headers to every response.
struct ErrorMiddleware: RouterMiddleware {
    typealias Context = BackendRequestContext

    let routes: RouteIndex
    let errors: ErrorResponse

    func handle(
        _ request: Request, context: BackendRequestContext,
        next: @concurrent (Request, BackendRequestContext) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            try FramingRule.require(request, context)
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
        context.requestLog.refusal = refusal
        var response = errors.response(for: refusal, path: request.uri.path, traceID: context.traceID)
        // The gate of the connection reads the field, closes, and sends it by itself while a body is incomplete.
        if refusal.endsConnection { response.headers[.connection] = "close" }
        return response
    }
}

/// Headers that every answer carries.
enum SecurityHeaders {
    /// Adds what is not there yet.
    static func apply(to headers: inout HTTPFields) {
        headers[.xContentTypeOptions] = "nosniff"
        headers[.strictTransportSecurity] = "max-age=31536000"
        if headers[.contentSecurityPolicy] == nil {
            headers[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'"
        }
        if headers[.cacheControl] == nil { headers[.cacheControl] = "no-store" }
    }
}
