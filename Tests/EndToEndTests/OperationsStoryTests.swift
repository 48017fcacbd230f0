import CommandSupport
import DemoCommands
import Foundation
import StrictJSON
import Testing

@Suite("The first weeks of an operator", .timeLimit(.minutes(5)))
struct OperationsStoryTests {
    @Test("The story is played as it is told, from the import of a thousand people to the upgrade")
    func story() async throws {
        let installation = try Installation()
        let process = try ChildProcess(
            installation.programs.phone, ["demo", "operations", "--format", "json"], folder: installation.scratch.url,
            name: "demo")
        let ending = await process.ending()
        #expect(ending.code == 0, "\(ending.complaints)")
        let answer = try JSONParser.parse(ending.output.trimmingCharacters(in: .whitespacesAndNewlines)).asObject()
        #expect(answer["ok"] == .bool(true), "\(ending.output)")
        #expect(
            answer.objects("steps").compactMap { $0.text("name") } == [
                "started", "bad-line-imports-none", "imported", "invited", "signed-in", "phone-removed", "new-phone",
                "audit-asked", "person-exported", "person-erased", "backed-up", "restored", "signed-in-again",
                "upgraded",
            ])
    }
}
