import BackendAPI
import HTTPTypes
import Hummingbird
import Logging
import Metrics
import Octets
import OpenID
import ServerCore

/// Access log: finds the sender of each request, and writes its log line and metrics when it is answered.
///
/// The sender is the one that trusted proxies name; nothing counts or logs the request before that is known.
///
/// A refusal costs its sender nothing, so its line is logged at info while it is among the first of its address, and at
/// debug beyond; the summary of the window has them all. Refusals for overload are logged at debug: the log tells once
/// that they begin and once that they have ended.
struct AccessLog: Sendable {
    /// Counts a refused request by its reason and the key of its sender; true while it is logged by itself.
    typealias CountRefusal = @Sendable (_ reason: String, _ network: String) -> Bool

    private let proxies: ProxySettings
    private let metrics: RequestMetrics
    private let countRefusal: CountRefusal

    init(proxies: ProxySettings, metrics: any MetricsFactory, countRefusal: @escaping CountRefusal) {
        self.proxies = proxies
        self.metrics = RequestMetrics(metrics)
        self.countRefusal = countRefusal
    }

    /// The sender of a request that `peer` has sent: the one that trusted proxies name, or `peer`.
    func sender(of request: Request, from peer: IPAddress?) -> IPAddress? {
        guard let peer, !proxies.trusted.isEmpty else { return peer }
        return ForwardedChain.sender(of: request.headers, peer: peer, proxies: proxies)
    }

    /// A refusal in the words of OpenID is one whatever its status is, as it may go to the client by redirect.
    private func level(for refusal: OpenIDRefusal, _ status: Int, _ context: BackendRequestContext) -> Logger.Level {
        if refusal.isFault { return .error }
        guard !refusal.isExpected else { return .debug }
        return countRefusal("\(status) \(refusal.code.rawValue)", context.network) ? .info : .debug
    }

    /// Success is quiet; an answer of the 500s is a bug of ours, but for 501, which refuses a transfer coding.
    private func level(for status: Int, _ context: BackendRequestContext) -> Logger.Level {
        switch status {
        case ..<400: return .debug
        case ..<500, 501:
            let reason = context.requestLog.refusal.map { "\(status) \($0.code.rawValue)" } ?? "\(status)"
            return countRefusal(reason, context.network) ? .info : .debug
        default: return context.requestLog.refusal?.code == .overloaded ? .debug : .error
        }
    }

    func record(
        _ request: Request, status: HTTPResponse.Status, _ context: BackendRequestContext, duration: Duration
    ) {
        let endpoint = context.requestLog.endpoint
        let status = status.code
        metrics.count(endpoint: endpoint, status: status, nanoseconds: duration.wholeNanoseconds)
        let code = context.requestLog.statusCode
        if let code { metrics.count(endpoint: endpoint, statusCode: code) }
        let clientRefusal = context.requestLog.clientRefusal
        let level = clientRefusal.map { self.level(for: $0, status, context) } ?? level(for: status, context)
        guard context.logger.logLevel <= level else { return }
        var fields: Logger.Metadata = [
            "method": "\(request.method.rawValue)", "endpoint": "\(endpoint)", "status": .stringConvertible(status),
            "microseconds": .stringConvertible(duration.wholeNanoseconds / 1_000),
        ]
        if let sender = context.senderAddress { fields["client"] = "\(sender)" }
        if let code { fields["uafStatus"] = .stringConvertible(code) }
        if let refusal = context.requestLog.refusal { fields["reason"] = "\(refusal.message)" }
        if let clientRefusal {
            fields["clientId"] = "\(clientRefusal.client?.text ?? "unknown")"
            fields["error"] = "\(clientRefusal.code.rawValue)"
            fields["reason"] = "\(clientRefusal.reason)"
        }
        context.tracedLogger.log(level: level, "request", metadata: fields)
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
