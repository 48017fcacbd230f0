import CommandSupport
import DemoCommands
import Foundation
import StrictJSON
import Testing

@Suite("A lost database comes back from a backup, and what had ended stays ended", .timeLimit(.minutes(5)))
struct BackupStoryTests {
    @Test("The story is played as it is told, from the backup under load to the restored server")
    func story() async throws {
        let installation = try Installation()
        let process = try ChildProcess(
            installation.programs.phone, ["demo", "backup", "--format", "json"], folder: installation.scratch.url,
            name: "demo")
        let ending = await process.ending()
        #expect(ending.code == 0, "\(ending.complaints)")
        let answer = try JSONParser.parse(ending.output.trimmingCharacters(in: .whitespacesAndNewlines)).asObject()
        #expect(answer["ok"] == .bool(true))
        #expect(
            answer.objects("steps").compactMap { $0.text("name") } == [
                "started", "backed-up-under-load", "backup-verified", "tokens-ended", "copy-noticed",
                "put-back-noticed",
                "restored", "signed-in-again", "tokens-stay-ended", "site-signs-in-again",
            ])
    }
}
