import BenchmarkSupport
import TamperGuards

/// Cost of the guards against tampering: of the first look of a process, and of a look before an operation.
///
/// The program is not sealed, so that pieces of code are compared with the file instead of with digests.
enum GuardBenchmark {
    /// Looks before operations, for each start.
    private static let checksPerStart = 20

    /// Medians of all rounds.
    static func figures(rounds: Int) -> [Figure] {
        var starts: [Double] = []
        var checks: [Double] = []
        for _ in 0..<rounds {
            let guards = GuardNetwork()
            starts.append(ContinuousClock().measure { guards.start() } / .milliseconds(1))
            for _ in 0..<checksPerStart {
                checks.append(ContinuousClock().measure { try? guards.check() } / .milliseconds(1))
            }
            guards.stop()
        }
        return [
            Figure(name: "guards-start", value: Percentile.median(of: starts), unit: "ms"),
            Figure(name: "guards-operation", value: Percentile.median(of: checks), unit: "ms"),
        ]
    }
}
