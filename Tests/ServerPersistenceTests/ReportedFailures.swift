import ServerPersistence
import Synchronization

/// Remembers what a storage reports.
final class ReportedFailures: Sendable {
    private let failures = Mutex<[ServerPersistenceError]>([])

    var all: [ServerPersistenceError] { failures.withLock { $0 } }

    func add(_ failure: ServerPersistenceError) {
        failures.withLock { $0.append(failure) }
    }
}
