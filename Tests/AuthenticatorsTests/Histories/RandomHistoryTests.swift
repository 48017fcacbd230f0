import Foundation
import TestSupport
import Testing

/// `SIGNET_HISTORIES` asks for another number of histories, for long runs (`script/soak histories`);
/// `SIGNET_HISTORY_SEED` says which is the first.
@Suite("In any history there are never more than five wrong tries, and no success is lost")
struct RandomHistoryTests {
    @Test("On software keys")
    func software() async throws {
        let count = Self.count(else: 1_000)
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
        for number in 0..<Self.count(else: 5, most: 200) {
            var history = try await RandomHistory(on: stage, seed: Self.firstSeed + UInt64(number))
            try await history.play(steps: 16)
        }
    }

    private static let firstSeed = variable("SIGNET_HISTORY_SEED").map { UInt64($0) } ?? 0

    private static func count(else usual: Int, most: Int = .max) -> Int {
        min(variable("SIGNET_HISTORIES") ?? usual, most)
    }

    private static func variable(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }
}
