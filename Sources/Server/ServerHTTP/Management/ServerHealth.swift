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

    /// The state of every part by name, and of the whole: one part that is down makes the whole down.
    func report() async -> (isUp: Bool, components: [(name: String, isUp: Bool)]) {
        var components = [("ready", ready.withLock { $0 })]
        for indicator in indicators { components.append((indicator.name, await indicator.isUp())) }
        return (components.allSatisfy(\.1), components)
    }
}
