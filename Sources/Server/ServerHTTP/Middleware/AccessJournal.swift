import HTTPTypes
import Hummingbird
import Logging
import Metrics

/// Gives each request its trace, and writes its log line and its metrics when it is answered.
struct AccessJournal: RouterMiddleware {
    typealias Context = BackendRequestContext

    private let metrics: RequestMetrics

    /// Counts in `metrics`.
    init(metrics: any MetricsFactory) {
        self.metrics = RequestMetrics(metrics)
    }

    func handle(
        _ request: Request, context: BackendRequestContext,
        next: @concurrent (Request, BackendRequestContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        let trace = Self.trace(of: request)
        context.traceID = trace.traceID
        context.logger[metadataKey: "traceId"] = "\(trace.traceID)"
        let start = ContinuousClock.now
        let response = try await next(request, context)
        record(request, response, context, duration: ContinuousClock.now - start)
        return response
    }

    private static func trace(of request: Request) -> TraceContext {
        let header = request.headers.first { $0.name.canonicalName == "traceparent" }?.value
        if let given = header.flatMap({ TraceContext(traceparent: $0) }) { return given }
        var random = SystemRandomNumberGenerator()
        return TraceContext(random: &random)
    }

    /// Success is quiet; an answer of the 500s is a bug of ours, but for 501, which refuses a transfer coding.
    private static func level(for status: Int) -> Logger.Level {
        switch status {
        case ..<400: .debug
        case ..<500, 501: .info
        default: .error
        }
    }

    private func record(
        _ request: Request, _ response: Response, _ context: BackendRequestContext, duration: Duration
    ) {
        let endpoint = context.journal.endpoint
        let status = response.status.code
        metrics.count(endpoint: endpoint, status: status, nanoseconds: duration.wholeNanoseconds)
        let code = context.journal.statusCode
        if let code { metrics.count(endpoint: endpoint, statusCode: code) }
        let level = Self.level(for: status)
        guard context.logger.logLevel <= level else { return }
        var fields: Logger.Metadata = [
            "method": "\(request.method.rawValue)", "endpoint": "\(endpoint)", "status": .stringConvertible(status),
            "microseconds": .stringConvertible(duration.wholeNanoseconds / 1_000),
        ]
        if let client = context.clientAddress { fields["client"] = "\(client)" }
        if let code { fields["uafStatus"] = .stringConvertible(code) }
        context.logger.log(level: level, "request", metadata: fields)
    }
}

extension Duration {
    /// The duration in nanoseconds, as far as 64 bits hold it.
    var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max : scaled &+ attoseconds / 1_000_000_000
    }
}
