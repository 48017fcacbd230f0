import Synchronization

/// Whether the server should get requests: it is ready, and everything it stands on answers.
package final class ServerHealth: Sendable {
    /// One thing that the server stands on.
    package struct Indicator: Sendable {
        /// Name in the answer, such as `database`.
        package let name: String
        /// Whether it works right now.
        package let isUp: @Sendable () async -> Bool

        /// Names a check.
        package init(name: String, isUp: @escaping @Sendable () async -> Bool) {
            self.name = name
            self.isUp = isUp
        }
    }

    private let ready = Mutex(false)
    private let indicators: [Indicator]

    /// Health of a server that is not ready yet.
    package init(indicators: [Indicator]) {
        self.indicators = indicators
    }

    /// Called when the listeners are open, and with false before the server stops.
    package func setReady(_ isReady: Bool) {
        ready.withLock { $0 = isReady }
    }

    /// Whether every part is up: one part that is down makes the whole down.
    var isUp: Bool {
        get async {
            guard ready.withLock({ $0 }) else { return false }
            for indicator in indicators where await !indicator.isUp() { return false }
            return true
        }
    }
}
