import BackendAPI
import Synchronization

/// Readiness of the server for requests: it is ready, and every dependency answers.
package final class ServerHealth: Sendable {
    /// One dependency of the server.
    package struct Indicator: Sendable {
        /// Name in the answer, such as `database`.
        package let name: String
        /// Checks the dependency, on each request for the health.
        package let finding: @Sendable () async -> Finding

        package init(name: String, finding: @escaping @Sendable () async -> Finding) {
            self.name = name
            self.finding = finding
        }
    }

    /// Result of a check.
    package enum Finding: Sendable, Hashable {
        case up
        /// It works, and this is worth knowing.
        case noted(String)
        /// It works, but an operator should look at it.
        case warning(String)
        case down(String)

        package init(failure reason: String?) { self = reason.map { .down($0) } ?? .up }
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

    /// The whole with its parts: one part that is down makes the whole down.
    var report: HealthBody {
        get async {
            var components: [HealthBody.Component] = []
            for indicator in indicators {
                components.append(.init(name: indicator.name, await indicator.finding()))
            }
            let isUp = ready.withLock { $0 } && components.allSatisfy(\.isUp)
            return HealthBody(isUp: isUp, components: components)
        }
    }
}

extension HealthBody.Component {
    fileprivate init(name: String, _ finding: ServerHealth.Finding) {
        switch finding {
        case .up: self.init(name: name, isUp: true)
        case .noted(let text): self.init(name: name, isUp: true, detail: .init(name: "note", text: text))
        case .warning(let text): self.init(name: name, isUp: true, detail: .init(name: "warning", text: text))
        case .down(let reason): self.init(name: name, isUp: false, detail: .init(name: "reason", text: reason))
        }
    }
}
