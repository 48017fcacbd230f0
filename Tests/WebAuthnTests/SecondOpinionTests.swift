import Foundation
import StrictJSON
import TestSupport
import Testing
import WebAuthn

/// Answers at random, which `script/maintain/passkeys` has judged by another project as well.
@Suite("Answers at random are accepted when they are sound, and never end the judge")
struct SecondOpinionTests {
    private static let count = SlowTests.size("SIGNET_PASSKEY_ANSWERS", sample: 60, whole: 1_000)

    @Test("Sound and spoiled answers")
    func answers() async throws {
        var generator = try OpinionGenerator(seed: 49)
        var lines: [JSONObject] = []
        for _ in 0..<Self.count {
            let line = try await generator.answer().judged()
            #expect(line["verdict"] == .string("accepted"))
            lines.append(line)
        }
        for position in 0..<Self.count {
            let mutations = OpinionMutation.allCases
            lines.append(try await generator.answer(mutations[position % mutations.count]).judged())
        }
        // Some changes make other sound answers, but most do not.
        #expect(lines.dropFirst(Self.count).count { $0["verdict"] == .string("accepted") } < Self.count / 3)
        for vector in try PasskeyVector.all() { lines += try await vector.opinions() }
        guard let path = ProcessInfo.processInfo.environment["SIGNET_PASSKEY_FILE"] else { return }
        let text = lines.map { JSONWriter.text(.object($0)) + "\n" }.joined()
        try Data(text.utf8).write(to: URL(filePath: path))
    }
}

extension PasskeyVector {
    /// Both answers of the vector, judged; the second only where the first gives a key.
    fileprivate func opinions() async throws -> [JSONObject] {
        let new = await OpinionCase(ceremonies: ceremonies, json: registration.json, roots: [root]).judged()
        guard let record = try? await registered().record else { return [new] }
        return [new, await OpinionCase(ceremonies: ceremonies, json: assertion.json, record: record).judged()]
    }
}
