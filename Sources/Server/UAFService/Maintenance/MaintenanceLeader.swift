import Logging
import ServerCore
import Synchronization

/// Lead in the maintenance, and the log of its changes.
final class MaintenanceLeader: Sendable {
    private let leadership: any Leadership
    private let logger: Logger
    private let latest = Mutex<Bool?>(nil)

    init(_ leadership: any Leadership, logger: Logger) {
        self.leadership = leadership
        self.logger = logger
    }

    /// Whether this process led when it was last asked.
    var isLeading: Bool { latest.withLock { $0 ?? false } }

    /// Whether this process leads now; a change is logged.
    func leads() async -> Bool {
        let leads = await leadership.leads(.maintenance)
        let before = latest.withLock { latest in
            defer { latest = leads }
            return latest
        }
        if before != leads, leads || before != nil {
            logger.info("maintenance", metadata: ["leads": "\(leads)"])
        }
        return leads
    }
}
