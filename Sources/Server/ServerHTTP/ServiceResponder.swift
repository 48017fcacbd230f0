import HTTPEngine
import HTTPTypes
package import Hummingbird
import Logging
import ServerCore

/// Responder of a listener: finds the service that a request asks for, and does what all requests have in common.
///
/// Each request belongs to a trace and has a sender. It is refused where its form could be read in two ways, where its
/// sender has sent too many, and where there is no such service. Whatever is thrown becomes an answer that gives nothing
/// away; every answer carries the security headers, and is logged and measured.
package struct ServiceResponder: HTTPResponder {
    let routes: RouteTable
    let errors: ErrorResponse
    private let overload: OverloadAnswers
    private let random = BufferedRandomNumbers()
    /// Log and metrics; nil on a listener of the operator.
    let log: AccessLog?
    /// Requests that a sender may send without a good secret; nil where nothing limits them.
    let buckets: TokenBuckets?
    /// Admission under load; nil where every request is served.
    let admission: RequestAdmission?
    /// Pages for browsers that are refused; nil on a listener without pages.
    private let pages: RefusedPages?

    init(
        routes: RouteTable, errors: ErrorResponse, pages: RefusedPages?, log: AccessLog?, buckets: TokenBuckets?,
        admission: RequestAdmission?
    ) {
        self.routes = routes
        self.errors = errors
        self.pages = pages
        overload = OverloadAnswers(errors: errors)
        self.log = log
        self.buckets = buckets
        self.admission = admission
    }

    /// The answer to a request that is refused for overload when it arrives; nil when it is admitted, and the
    /// connection keeps its ticket.
    ///
    /// It has to cost little: no task, no route, and nothing counted but the refusal. A request whose form could be
    /// read in two ways is admitted, and refused for that.
    func refuse(
        _ request: Request, on connection: ConnectionOrigin, date: DateField,
        in makeContext: () -> BackendRequestContext
    ) -> WholeAnswer? {
        guard let admission, connection.fault == nil, FramingRule.refusal(of: request.headers) == nil else {
            return nil
        }
        let path = request.uri.path
        guard let (route, step) = routes.refusable(request.method, at: path) else { return nil }
        let start = ContinuousClock.now
        let sender = log?.sender(of: request, from: connection.address) ?? connection.address
        guard let seconds = admission.refusal(at: step, of: request, from: sender, on: connection) else { return nil }
        let trace = TraceContext(of: request, random: random)
        let (refusal, answer) = overload.answer(retryAfterSeconds: seconds, path: path, trace, date: date.text)
        var context = makeContext()
        context.sender = sender
        context.trace = trace
        context.requestLog.endpoint = route.name
        context.requestLog.refusal = refusal
        log?.record(request, status: refusal.status, context, duration: ContinuousClock.now - start)
        return answer
    }

    package func respond(to request: Request, context: BackendRequestContext) async throws -> Response {
        var context = context
        context.trace = TraceContext(of: request, random: random)
        guard let log else { return await answer(to: request, context) }
        let start = ContinuousClock.now
        // Nothing counts or logs the request before its sender is known.
        context.sender = log.sender(of: request, from: context.sender)
        let response = await answer(to: request, context)
        log.record(request, status: response.status, context, duration: ContinuousClock.now - start)
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
        let found = Result { () throws(RequestRefusal) in try routes.route(request.method, at: request.uri.path) }
        // A good secret is looked up before anything about its address is asked; misses count.
        guard case .success((let handler, let component, true)) = found else {
            try count(context)
            let (handler, component, _) = try found.get()
            return try await handler(request, context.with(component))
        }
        do {
            let response = try await handler(request, context.with(component))
            if Self.isMiss(response.status) || context.requestLog.isMiss { try count(context) }
            return response
        } catch let refusal as RequestRefusal where Self.isMiss(refusal.status) {
            try count(context)
            throw refusal
        }
    }

    /// Whether a status says that no good secret came; an access key has a limit of its own.
    private static func isMiss(_ status: HTTPResponse.Status) -> Bool {
        status.kind == .clientError && status != .tooManyRequests
    }

    /// Takes one of the requests that an address may send without a good secret.
    private func count(_ context: BackendRequestContext) throws(RequestRefusal) {
        guard let buckets, case .refused(let seconds) = buckets.take(for: context.network) else { return }
        throw .tooManyRequests(retryAfterSeconds: seconds)
    }

    private func refuse(_ request: Request, _ context: BackendRequestContext, for error: any Error) -> Response {
        var refusal = RequestRefusal.failed
        if let known = error as? RequestRefusal {
            refusal = known
        } else {
            context.tracedLogger.error("unexpected error", metadata: ["error": "\(type(of: error))"])
        }
        context.requestLog.refusal = refusal
        var response: Response
        if let pages, routes.asksForPage(request) {
            response = pages.response(for: refusal, to: request)
        } else {
            response = errors.response(for: refusal, path: request.uri.path, traceID: context.traceID)
        }
        // The gate of the connection reads the field, closes, and sends it by itself while a body is incomplete.
        if refusal.endsConnection { response.headers[.connection] = "close" }
        return response
    }
}
