import Synchronization

/// Counts open connections per network of clients.
final class ConnectionCounter: Sendable {
    private let limit: Int
    private let counts = Mutex<[String: Int]>([:])

    /// Lets each network have `limit` connections at the same time.
    init(limit: Int) {
        self.limit = limit
    }

    /// Counts a connection until ``leave(_:)``; false, and not counted, when the network has all it may.
    func enter(_ network: String) -> Bool {
        counts.withLock { counts in
            let count = counts[network, default: 0]
            guard count < limit else { return false }
            counts[network] = count + 1
            return true
        }
    }

    /// Counts a connection no longer.
    func leave(_ network: String) {
        counts.withLock { counts in
            let count = counts[network, default: 0]
            counts[network] = count > 1 ? count - 1 : nil
        }
    }
}
