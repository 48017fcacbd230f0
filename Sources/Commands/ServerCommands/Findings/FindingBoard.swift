import ServerCore
import ServerHTTP
import Synchronization

/// Look at one subject.
struct FindingSource: Sendable {
    let subject: ServerFinding.Subject
    /// Time for which a look stays true enough; zero for one that costs next to nothing.
    let interval: Duration
    let look: @Sendable () async -> [ServerFinding]

    init(
        _ subject: ServerFinding.Subject, each interval: Duration = .zero,
        look: @escaping @Sendable () async -> [ServerFinding]
    ) {
        self.subject = subject
        self.interval = interval
        self.look = look
    }
}

/// Findings about a running server: what is cheap is looked at when it is asked for, the rest in the background.
final class FindingBoard: Sendable {
    private struct Look {
        var findings: [ServerFinding]
        var at: ContinuousClock.Instant
    }

    /// Time between two rounds, so that metrics, which are read without a look, have what was true just before.
    private static let pace: Duration = .seconds(5)

    private let sources: [FindingSource]
    private let looks = Mutex<[ServerFinding.Subject: Look]>([:])

    init(_ sources: [FindingSource]) { self.sources = sources }

    var subjects: [ServerFinding.Subject] { sources.map(\.subject) }

    /// Findings now, in the order of the sources.
    func findings() async -> [ServerFinding] {
        for source in sources where source.interval == .zero { await look(at: source) }
        return remembered
    }

    /// Findings of the last looks.
    var remembered: [ServerFinding] {
        let looks = looks.withLock { $0 }
        return sources.flatMap { looks[$0.subject]?.findings ?? [] }
    }

    /// Looks at everything whose last look is too old.
    func round() async {
        for source in sources where isDue(source) { await look(at: source) }
    }

    /// Rounds until the task is cancelled, from the moment on in which the server is ready.
    func run(when health: ServerHealth) async {
        while !Task.isCancelled {
            if health.isReady { await round() }
            try? await Task.sleep(for: health.isReady ? Self.pace : .milliseconds(100))
        }
    }

    private func isDue(_ source: FindingSource) -> Bool {
        guard let last = looks.withLock({ $0[source.subject]?.at }) else { return true }
        return ContinuousClock.now - last >= source.interval
    }

    private func look(at source: FindingSource) async {
        let look = Look(findings: await source.look(), at: .now)
        looks.withLock { $0[source.subject] = look }
    }

    /// Writes into `metrics` how many findings of each weight there are.
    func report(to metrics: MetricsRegistry) {
        metrics.beforeReading { metrics in
            let counts = Dictionary(grouping: self.remembered) { [$0.id, $0.severity.rawValue] }
            for subject in self.subjects {
                for severity in ServerFinding.Severity.allCases {
                    let labels = [subject.rawValue, severity.rawValue]
                    metrics.put(
                        Double(counts[labels]?.count ?? 0), into: "signet_finding", .gauge,
                        [("id", labels[0]), ("severity", labels[1])])
                }
            }
        }
    }
}
