import StrictJSON
import Testing

@testable import DeviceCommands
@testable import TamperGuards

@Suite("signet guards shows findings with evidence, and says whether they would lead to a reaction")
struct GuardReportTests {
    private func report(
        _ findings: [GuardFinding], unknown: [String] = [], reaction: GuardPolicy.Reaction = .crash,
        isSealed: Bool = false
    ) -> GuardReport {
        let examination = GuardNetwork.Examination(
            kind: .hook, reaction: reaction, result: TamperGuardResult(findings: findings, unknown: unknown),
            duration: .microseconds(61_600))
        let summary = GuardSummary(of: findings, unexamined: [], isSealed: isSealed, isEnforcing: isSealed)
        return GuardReport([examination], summary: summary)
    }

    private func finding(_ name: String, _ weight: Int) -> GuardFinding {
        GuardFinding(.hook, name, weight: weight, evidence: "seen in \u{1B}[2J/tmp")
    }

    @Test("Findings that weigh enough are ill; each rule counts once, and reports are always well")
    func verdict() {
        #expect(report([]).isWell)
        #expect(!report([finding("a", 100)]).isWell)
        #expect(!report([finding("a", 50), finding("b", 50)]).isWell)
        #expect(report([finding("a", 50), GuardFinding(.hook, "a", weight: 50, evidence: "again")]).isWell)
        #expect(report([finding("a", 100)], reaction: .report).isWell)
    }

    @Test("The text marks what would lead to a reaction, and shows evidence that cannot move the cursor")
    func text() {
        let text = report([finding("hook.sample", 100)], unknown: ["some file"]).text
        #expect(text.hasPrefix("✘ hook: found (reaction: crash) in 62 ms\n  → hook.sample, weight 100: seen in "))
        #expect(!text.contains("\u{1B}") && text.contains("  ? some file"))
        #expect(text.contains("unsealed: findings are reported only, and a change of its file is not noticed"))
        #expect(report([], isSealed: true).text.contains("sealed: findings have consequences, and all that is loaded"))
        #expect(report([]).text.hasPrefix("✔ hook: nothing found"))
        #expect(report([], unknown: ["some file"]).text.hasPrefix("! hook: not examined"))
    }

    @Test("The JSON has every guard with its findings")
    func json() {
        let text = JSONWriter.text(.object(report([finding("hook.sample", 100)]).json))
        #expect(text.contains(#""ok":false"#) && text.contains(#""name":"hook.sample""#))
        #expect(text.contains(#""sealed":false"#) && text.contains(#""reaction":"crash""#))
        #expect(text.contains(#""milliseconds":62"#))
    }

    @Test("The guards of the process do not run for the command that shows them")
    func command() {
        #expect(GuardedProcess.showsGuards(["signet", "guards", "--format", "json"]))
        #expect(!GuardedProcess.showsGuards(["signet", "device", "guards"]) && !GuardedProcess.showsGuards(["signet"]))
    }
}
