package import Logging
import Metrics
import Synchronization

/// Faults that this process has found in the audit since it began, for the log, the health and the metrics.
package final class AuditDamage: Sendable {
    /// Most findings that are kept apart, which bounds memory; further ones are only counted.
    private static let limit = 1_000

    private let logger: Logger
    private let found = Mutex<[String]>([])
    private let counter = Counter(label: "signet_audit_breaks_total")

    package init(logger: Logger) { self.logger = logger }

    /// Tells the log, once for each finding.
    package func note(_ finding: String) {
        let isNew = found.withLock { found in
            guard !found.contains(finding) else { return false }
            if found.count < Self.limit { found.append(finding) }
            return true
        }
        guard isNew else { return }
        counter.increment()
        logger.error("the audit was changed or is damaged", metadata: ["at": "\(finding)"])
    }

    /// The first finding and the number of others, in words; nil without one.
    package var text: String? {
        let found = found.withLock { $0 }
        guard let first = found.first else { return nil }
        return "the audit was changed or is damaged: \(first)"
            + (found.count > 1 ? " and \(found.count - 1) more" : "")
    }
}
