import BackendAPI
import HTTPTypes
import Hummingbird
import Logging
import Metrics

/// Access log: gives each request its trace, and writes its log line and its metrics when it is answered.
///
/// A refusal costs its sender nothing, so its line is logged at info while it is among the first of its address, and at
/// debug beyond; the summary of the window has them all.
struct AccessLogMiddleware: RouterMiddleware {
    typealias Context = BackendRequestContext
    /// Counts a refused request by its reason and the key of its client; true while it is logged by itself.
    typealias CountRefusal = @Sendable (_ reason: String, _ network: String) -> Bool

    private let metrics: RequestMetrics
    private let countRefusal: CountRefusal

    /// Counts in `metrics`, and refused requests with `countRefusal`.
    init(metrics: any MetricsFactory, countRefusal: @escaping CountRefusal) {
        self.metrics = RequestMetrics(metrics)
        self.countRefusal = countRefusal
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
    private func level(for status: Int, _ context: BackendRequestContext) -> Logger.Level {
        switch status {
        case ..<400: return .debug
        case ..<500, 501:
            let reason = context.requestLog.refusal.map { "\(status) \($0.code.rawValue)" } ?? "\(status)"
            return countRefusal(reason, context.network) ? .info : .debug
        default: return .error
        }
    }

    private func record(
        _ request: Request, _ response: Response, _ context: BackendRequestContext, duration: Duration
    ) {
        let endpoint = context.requestLog.endpoint
        let status = response.status.code
        metrics.count(endpoint: endpoint, status: status, nanoseconds: duration.wholeNanoseconds)
        let code = context.requestLog.statusCode
        if let code { metrics.count(endpoint: endpoint, statusCode: code) }
        let level = level(for: status, context)
        guard context.logger.logLevel <= level else { return }
        var fields: Logger.Metadata = [
            "method": "\(request.method.rawValue)", "endpoint": "\(endpoint)", "status": .stringConvertible(status),
            "microseconds": .stringConvertible(duration.wholeNanoseconds / 1_000),
        ]
        if let client = context.clientAddress { fields["client"] = "\(client)" }
        if let code { fields["uafStatus"] = .stringConvertible(code) }
        if let refusal = context.requestLog.refusal { fields["reason"] = "\(refusal.message)" }
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

/// The trace that a request belongs to (W3C Trace Context, `traceparent`).
package struct TraceContext: Hashable, Sendable {
    /// 32 lower-case hexadecimal digits, not all zero.
    package let traceID: String

    /// Reads a `traceparent` header of version 00; anything else is no trace.
    package init?(traceparent: String) {
        let parts = traceparent.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.count == 4, parts.map(\.count) == [2, 32, 16, 2], parts[0].elementsEqual("00".utf8) else {
            return nil
        }
        let isHex = parts.allSatisfy { $0.allSatisfy(Self.isLowerHex) }
        let hasIDs = parts[1...2].allSatisfy { $0.contains { $0 != UInt8(ascii: "0") } }
        guard isHex, hasIDs else { return nil }
        traceID = String(decoding: parts[1], as: UTF8.self)
    }

    /// Starts a trace of our own.
    package init(random: inout some RandomNumberGenerator) {
        // One bit is given away, so that it is never all zero.
        let words: [UInt64] = [random.next(), random.next() | 1]
        let digits = Array("0123456789abcdef".utf8)
        traceID = String(unsafeUninitializedCapacity: 32) { text in
            for position in 0..<32 {
                let word = words[position / 16] >> (60 - 4 * UInt64(position % 16))
                text[position] = digits[Int(word & 0xF)]
            }
            return 32
        }
    }

    private static func isLowerHex(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
