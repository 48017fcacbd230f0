package import Hummingbird
import Logging
import ServerCore

/// Responder of a listener: finds the service that a request asks for, and does what all requests have in common.
///
/// Each request belongs to a trace and has a client. It is refused where its form could be read in two ways, where its
/// client has sent too many, and where there is no such service. Whatever is thrown becomes an answer that gives nothing
/// away; every answer carries the security headers, and is logged and measured.
package struct ServiceResponder: HTTPResponder {
    let routes: RouteTable
    let errors: ErrorResponse
    /// Log and metrics; nil on a listener of the operator.
    let log: AccessLog?
    /// Requests that a client may send; nil where nothing limits them.
    let buckets: TokenBuckets?
    /// Admission under load; nil where every request is served.
    let admission: RequestAdmission?

    /// Whether a request is let in that arrives over a connection; the connection keeps the verdict for its service.
    func admits(_ request: Request, on connection: ConnectionOrigin) -> Bool {
        guard let admission, connection.refusal == nil else { return true }
        let client = log?.client(of: request, from: connection.address) ?? connection.address
        return admission.decide(
            routes.step(request.method, at: request.uri.path), request, client: client, on: connection)
    }

    package func respond(to request: Request, context: BackendRequestContext) async throws -> Response {
        var context = context
        context.trace = TraceContext(of: request)
        guard let log else { return await answer(to: request, context) }
        let start = ContinuousClock.now
        // Nothing counts or logs the request before its client is known.
        context.client = log.client(of: request, from: context.client)
        let response = await answer(to: request, context)
        log.record(request, response, context, duration: ContinuousClock.now - start)
        return response
    }

    private func answer(to request: Request, _ context: BackendRequestContext) async -> Response {
        var response: Response
        do {
            response = try await serve(request, context)
        } catch {
            response = refuse(request, context, for: error)
        }
        SecurityHeaders.apply(to: &response.headers)
        return response
    }

    private func serve(_ request: Request, _ context: BackendRequestContext) async throws -> Response {
        try FramingRule.require(request, context)
        if let buckets, case .refused(let seconds) = buckets.take(for: context.network) {
            throw RequestRefusal.tooManyRequests(retryAfterSeconds: seconds)
        }
        let (handler, component) = try routes.route(request.method, at: request.uri.path)
        var context = context
        context.lastComponent = component
        return try await handler(request, context)
    }

    private func refuse(_ request: Request, _ context: BackendRequestContext, for error: any Error) -> Response {
        var refusal = RequestRefusal.failed
        if let known = error as? RequestRefusal {
            refusal = known
        } else {
            context.tracedLogger.error("unexpected error", metadata: ["error": "\(type(of: error))"])
        }
        context.requestLog.refusal = refusal
        var response = errors.response(for: refusal, path: request.uri.path, traceID: context.traceID)
        // The gate of the connection reads the field, closes, and sends it by itself while a body is incomplete.
        if refusal.endsConnection { response.headers[.connection] = "close" }
        return response
    }
}
