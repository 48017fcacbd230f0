import BackendAPI
import Metrics

/// The metrics of out-of-band ceremonies; labels come from fixed lists and from the configuration.
struct OperationMetrics: Sendable {
    private let factory: any MetricsFactory

    init(_ factory: any MetricsFactory) {
        self.factory = factory
    }

    /// Counts a dispatch by dispatcher and result.
    func count(_ answer: DispatchAnswer) {
        let dispatcher = answer.dispatcherInformation?.name.rawValue ?? "none"
        Counter(
            label: "signet_dispatches_total",
            dimensions: [("dispatcher", dispatcher), ("result", answer.result.rawValue)], factory: factory
        ).increment()
    }

    func count(refused code: ErrorCode) {
        Counter(
            label: "signet_device_requests_refused_total", dimensions: [("code", code.rawValue)], factory: factory
        ).increment()
    }
}
