import Foundation
import FuzzPhone
import TestSupport
import Testing

@Suite("D-H1: a phone survives whatever a hostile server answers to any operation")
struct PhoneReplayTests {
    private static let regressions = URL(filePath: #filePath)
        .appending(path: "../../../Fuzz/Regressions/\(FuzzedPhone.name)").standardizedFileURL

    /// How many random inputs, and from which seed on.
    private static let inputs = number("SIGNET_HOSTILE_INPUTS") ?? 100
    private static let seed = UInt64(number("SIGNET_HOSTILE_SEED") ?? 14)

    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }

    @Test("Findings of earlier fuzzing stay fixed")
    func regressions() async throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.regressions.path()).sorted()
        #expect(files.contains("every-operation"))
        for file in files {
            try await FuzzedPhone().play([UInt8](try Data(contentsOf: Self.regressions.appending(path: file))))
        }
    }

    @Test(
        "The inputs that fuzzing begins with: every operation, answered soundly, in the wrong place, spoiled, refused")
    func seeds() async throws {
        for seed in FuzzedPhone.seeds { try await FuzzedPhone().play(seed) }
    }

    @Test("D-H1: random answers to random operations leave the key of another server usable, and every operation ends")
    func random() async throws {
        var random = SeededGenerator(seed: Self.seed)
        for number in 0..<Self.inputs {
            let seed = FuzzedPhone.seeds.randomElement(using: &random) ?? []
            let more = (0..<Int.random(in: 0...400, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            do {
                try await FuzzedPhone().play(seed.prefix(Int.random(in: 0...8, using: &random)) + more)
            } catch {
                Issue.record("input \(number): \(error)")
            }
        }
    }
}
