import CommandSupport
import DemoCommands
import Foundation
import StrictJSON
import Testing

@Suite("An installation is left for another server", .timeLimit(.minutes(5)))
struct MovingOverStoryTests {
    @Test("The story is played as it is told: a phone of the old server signs in and confirms at the new one")
    func story() async throws {
        let installation = try Installation()
        let process = try ChildProcess(
            installation.programs.phone, ["demo", "moving-over", "--format", "json"], folder: installation.scratch.url,
            name: "demo")
        let ending = await process.ending()
        #expect(ending.code == 0, "\(ending.output) \(ending.complaints)")
        let answer = try JSONParser.parse(ending.output.trimmingCharacters(in: .whitespacesAndNewlines)).asObject()
        #expect(answer["ok"] == .bool(true))
        #expect(
            answer.objects("steps").compactMap { $0.text("name") } == [
                "left", "configured", "tried", "imported", "imported-once", "signed-in", "confirmed",
            ])
    }
}
