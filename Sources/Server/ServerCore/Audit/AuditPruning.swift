package import Logging
import Synchronization

/// Removal of the days of the audit that are older than the operator wants to keep them, once a day.
package final class AuditPruning: Sendable {
    private static let interval: Duration = .seconds(86_400)

    private let audit: AuditService
    /// Chain of this instance, which all its processes write.
    private let chain: String
    /// Age at which records are removed; nil keeps them.
    private let retention: Duration?
    /// Says which of the processes that write this chain removes its records.
    private let leadership: any Leadership
    /// Subscribers that have not read everything.
    private let places: SubscriberOffsets
    private let logger: Logger
    private let lastRound = Mutex<Timestamp?>(nil)

    package init(
        audit: AuditService, chain: String, retention: Duration?, leadership: any Leadership,
        places: SubscriberOffsets,
        logger: Logger
    ) {
        self.audit = audit
        self.chain = chain
        self.retention = retention
        self.leadership = leadership
        self.places = places
        self.logger = logger
    }

    /// Removes what is too old at `now`, unless that was done within a day.
    package func prune(at now: Timestamp) async throws(ServerError) {
        guard let retention, lastRound.withLock({ $0.map { now >= $0 + Self.interval } ?? true }) else { return }
        guard await leadership.leads(.pruning(chain: chain)) else { return }
        // What an earlier round, or a process that has ended, has left.
        guard try await audit.deletePruned(of: chain, during: BatchDeletion.stepTime) else { return }
        if let end = try await audit.end(of: chain, before: AuditDay(of: now - retention)) {
            if let reader = try await places.limit(end.head, of: chain, in: audit).reader {
                logger.notice(
                    "old records of the audit stay: a subscriber has not read them",
                    metadata: ["subscriber": "\(reader)"])
            } else {
                try await audit.seal(chain, through: end.head, at: now)
                // The statement of this day stays: the next one begins behind it.
                try await audit.log.forgetDays(before: end.day)
                guard try await audit.deletePruned(of: chain, during: BatchDeletion.stepTime) else { return }
            }
        }
        lastRound.withLock { $0 = now }
    }
}
