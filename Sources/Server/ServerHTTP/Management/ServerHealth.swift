import BackendAPI
package import ServerCore
import Synchronization

/// Readiness of the server for requests: it is ready, and nothing that it needs is down.
package final class ServerHealth: Sendable {
    private let ready = Mutex(false)
    private let subjects: [ServerFinding.Subject]
    private let findings: @Sendable () async -> [ServerFinding]

    /// Health of a server that is not ready yet; its parts are the subjects, about which `findings` says what there is to
    /// say at each request.
    package init(
        of subjects: [ServerFinding.Subject] = [], findings: @escaping @Sendable () async -> [ServerFinding] = { [] }
    ) {
        self.subjects = subjects
        self.findings = findings
    }

    /// Called when the listeners are open, and with false before the server stops.
    package func setReady(_ isReady: Bool) {
        ready.withLock { $0 = isReady }
    }

    package var isReady: Bool { ready.withLock { $0 } }

    /// The whole with its parts: one part that is down makes the whole down.
    var report: HealthBody {
        get async {
            let findings = Dictionary(grouping: await findings(), by: \.subject)
            let components = subjects.map { HealthBody.Component($0, findings[$0] ?? []) }
            return HealthBody(isUp: isReady && components.allSatisfy(\.isUp), components: components)
        }
    }
}

extension HealthBody.Component {
    fileprivate init(_ subject: ServerFinding.Subject, _ findings: [ServerFinding]) {
        let worst = findings.map(\.severity).max()
        let name = worst == .down ? "reason" : worst?.rawValue
        self.init(
            name: subject.rawValue, isUp: worst != .down,
            detail: name.map { .init(name: $0, text: findings.map(\.text).joined(separator: "; ")) })
    }
}
