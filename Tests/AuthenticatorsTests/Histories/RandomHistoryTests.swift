import Foundation
import TestSupport
import Testing

/// `SIGNET_HISTORIES` asks for another number of histories, for long runs (`script/soak histories`);
/// `SIGNET_HISTORY_SEED` says which is the first.
@Suite("In any history there are never more than five wrong tries, and no success is lost")
struct RandomHistoryTests {
    @Test("On software keys")
    func software() async throws {
        let count = SlowTests.size("SIGNET_HISTORIES", sample: 200, whole: 1_000)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<2 {
                group.addTask {
                    let stage = try await HistoryStage.software()
                    for number in stride(from: lane, to: count, by: 2) {
                        var history = try await RandomHistory(on: stage, seed: Self.firstSeed + UInt64(number))
                        try await history.play(steps: 16)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("On a TPM", .enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.absence)"))
    func chip() async throws {
        let stage = try await HistoryStage.chip()
        for number in 0..<min(SlowTests.size("SIGNET_HISTORIES", sample: 2, whole: 5), 200) {
            var history = try await RandomHistory(on: stage, seed: Self.firstSeed + UInt64(number))
            try await history.play(steps: 16)
        }
    }

    private static let firstSeed =
        ProcessInfo.processInfo.environment["SIGNET_HISTORY_SEED"].flatMap { UInt64($0) } ?? 0
}
