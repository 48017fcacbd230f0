package import ArgumentParser
import CommandSupport
import StrictJSON
import TamperGuards

package struct GuardsCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "guards", abstract: "Show what the guards against tampering see in this process and machine.",
        discussion: """
            Each guard looks at everything there is to see and names its findings with evidence, weight and the reaction \
            of the release flavour. Weights of one kind from 100 on lead to the reaction, in programs that were sealed \
            after linking (script/maintain/seal); others report only. A sealed program does once, before it first uses a key, \
            what the guard "checksum" does here; the time stands beside it. docs/security/hardening.md says what each guard \
            sees, and what gets past all of them.

            Exit code 0 when nothing would lead to a reaction; 1 when something would.
            """)

    @Option(help: "Output format: text or json.")
    var format = OutputFormat.text

    package init() {}

    package func run() async throws {
        let report = GuardReport(GuardNetwork())
        switch format {
        case .text: print(ForeignText.page(report.text))
        case .json: print(JSONWriter.text(.object(report.json)))
        }
        if !report.isWell { throw ExitCode(CommandFailure.Kind.refused.rawValue) }
    }
}

struct GuardReport {
    private let examinations: [GuardNetwork.Examination]
    private let summary: GuardSummary

    init(_ guards: GuardNetwork) {
        examinations = guards.examine()
        summary = guards.summary
    }

    init(_ examinations: [GuardNetwork.Examination], summary: GuardSummary) {
        (self.examinations, self.summary) = (examinations, summary)
    }

    var isWell: Bool { !examinations.contains(where: Self.leadsToReaction) }

    /// Whether findings weigh enough for a reaction other than a report; each rule counts once.
    private static func leadsToReaction(_ one: GuardNetwork.Examination) -> Bool {
        let weights = Dictionary(grouping: one.result.findings, by: \.name).values.compactMap { $0.map(\.weight).max() }
        return one.reaction != .report && weights.reduce(0, +) >= GuardPolicy.release.threshold
    }

    // MARK: - Text

    var text: String {
        let seal =
            summary.isSealed
            ? "sealed: findings have consequences, and all that is loaded of its file was compared with the seal"
            : "unsealed: findings are reported only, and a change of its file is not noticed"
        return (examinations.flatMap(Self.lines) + ["The program is \(seal). Flavour: \(summary.flavor.rawValue)."])
            .joined(separator: "\n")
    }

    private static func lines(of one: GuardNetwork.Examination) -> [String] {
        let isIll = leadsToReaction(one)
        let verdict =
            one.result.findings.isEmpty ? (one.result.unknown.isEmpty ? "nothing found" : "not examined") : "found"
        let mark = isIll ? "✘" : one.result.findings.isEmpty && one.result.unknown.isEmpty ? "✔" : "!"
        return [
            "\(mark) \(name(of: one.kind)): \(verdict) (reaction: \(word(for: one.reaction))) in \(milliseconds(one)) ms"
        ]
            + one.result.findings.map {
                "  → \($0.name), weight \($0.weight): \(ForeignText.name($0.evidence))"
            } + one.result.unknown.map { "  ? \(ForeignText.name($0))" }
    }

    private static func milliseconds(_ one: GuardNetwork.Examination) -> Int {
        Int((one.duration / .milliseconds(1)).rounded())
    }

    private static func name(of kind: GuardFinding.Kind) -> String {
        kind == .virtualMachine ? "virtual machine" : kind.rawValue
    }

    private static func word(for reaction: GuardPolicy.Reaction) -> String {
        switch reaction {
        case .report: "report"
        case .throwError: "throw"
        case .stopResponding: "stop"
        case .crash: "crash"
        }
    }

    // MARK: - JSON

    /// The report for programs: `ok`, and in `result` the guards with their findings.
    var json: JSONObject {
        let guards = examinations.map { one in
            JSONValue.object(
                JSONObject([
                    "kind": .string(one.kind.rawValue), "ok": .bool(!Self.leadsToReaction(one)),
                    "reaction": .string(Self.word(for: one.reaction)),
                    "milliseconds": .integer(Self.milliseconds(one)),
                    "findings": .array(one.result.findings.map(Self.json)),
                    "unknown": .array(one.result.unknown.map { .string($0) }),
                ]))
        }
        let result = JSONObject([
            "flavor": .string(summary.flavor.rawValue), "sealed": .bool(summary.isSealed),
            "enforcing": .bool(summary.isEnforcing), "guards": .array(guards),
        ])
        return JSONObject(["ok": .bool(isWell), "result": .object(result)])
    }

    private static func json(of finding: GuardFinding) -> JSONValue {
        .object(
            JSONObject([
                "name": .string(finding.name), "weight": .integer(finding.weight),
                "evidence": .string(finding.evidence),
            ]))
    }
}
