import BackendAPI
import Metrics
import ServerCore
import UAF

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

    /// Counts a version of an application in use; versions that the operator has not named are one.
    func count(_ version: ApplicationVersion, of application: ApplicationVersions) {
        let named = application.named.first { $0 == version }?.text ?? "other"
        Counter(
            label: "signet_application_versions_total",
            dimensions: [("application", application.facet.text), ("version", named)], factory: factory
        ).increment()
    }

    func count(refused code: ErrorCode) {
        Counter(
            label: "signet_device_requests_refused_total", dimensions: [("code", code.rawValue)], factory: factory
        ).increment()
    }
}
