package import LoadControl
package import Logging
import Metrics

/// Metrics and log of the queues: depth, waiting time and what was shed of each, and one line for each change.
///
/// Labels come from fixed lists. Every series is there from the beginning, so that its absence never means zero.
package final class QueueMetrics: QueueReport {
    private struct Series: Sendable {
        let depth: Meter
        let wait: Timer
        let shed: [QueueShedReason: Counter]
    }

    private let series: [QueueName: Series]
    private let logger: Logger

    /// Counts in `metrics`, and tells `logger` when a queue begins and stops to shed.
    package init(_ metrics: MetricsRegistry, logger: Logger) {
        var series: [QueueName: Series] = [:]
        for queue in QueueName.allCases { series[queue] = Self.series(of: queue, in: metrics) }
        self.series = series
        self.logger = logger
    }

    private static func series(of queue: QueueName, in metrics: MetricsRegistry) -> Series {
        let label = ("queue", queue.rawValue)
        var shed: [QueueShedReason: Counter] = [:]
        for reason in QueueShedReason.allCases {
            shed[reason] = Counter(
                label: "signet_queue_shed_total", dimensions: [label, ("reason", reason.rawValue)], factory: metrics)
        }
        return Series(
            depth: Meter(label: "signet_queue_depth", dimensions: [label], factory: metrics),
            wait: Timer(label: "signet_queue_wait_seconds", dimensions: [label], factory: metrics), shed: shed)
    }

    package func depth(_ depth: Int, of queue: QueueName) { series[queue]?.depth.set(depth) }

    package func waited(_ time: Duration, in queue: QueueName) {
        series[queue]?.wait.recordNanoseconds(time.wholeNanoseconds)
    }

    package func shed(_ reason: QueueShedReason, from queue: QueueName) { series[queue]?.shed[reason]?.increment() }

    package func changed(_ change: QueueShedding.Change, of queue: QueueName) {
        switch change {
        case .began: logger.warning("overloaded: refusing", metadata: ["queue": "\(queue.rawValue)"])
        case .ended(let count):
            logger.notice(
                "no longer overloaded",
                metadata: ["queue": "\(queue.rawValue)", "refused": .stringConvertible(count)])
        }
    }
}
