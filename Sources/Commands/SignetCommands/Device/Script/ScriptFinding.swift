import StrictJSON

/// How a step of a script ended.
struct ScriptFinding: Sendable {
    /// Which step, from 1.
    let number: Int
    let step: ScriptStep
    /// Why it failed; nil when it went well.
    let failure: CommandFailure?
    let milliseconds: Int

    /// Every name that the end has: `ok`, or those of the failure.
    private var names: [String] {
        guard let failure else { return [ScriptStep.good] }
        let numbers = [failure.uafStatus].compactMap { $0.map(String.init) }
        return [failure.fidoName, failure.code].compactMap(\.self) + numbers
    }

    /// Whether the step ended as the script says.
    var isAsExpected: Bool { names.contains(step.expectation) }

    /// The name of the end that says most.
    var outcome: String { names.first ?? ScriptStep.good }

    /// One line for a person.
    var line: String {
        let subject = step.user.isEmpty || step.action == .list || step.action == .wait ? "" : " \(step.user)"
        let ending = isAsExpected ? outcome : "\(outcome), expected \(step.expectation)"
        let reason = isAsExpected ? "" : failure.map { ": \($0.message)" } ?? ""
        return "\(isAsExpected ? "✔" : "✘") \(number) \(step.action.rawValue)\(subject): \(ending)\(reason)"
    }

    /// The step for a program.
    var json: JSONValue {
        .object(
            JSONObject([
                "number": .integer(number), "do": .string(step.action.rawValue), "user": .string(step.user),
                "expected": .string(step.expectation), "outcome": .string(outcome),
                "asExpected": .bool(isAsExpected), "milliseconds": .integer(milliseconds),
                "message": failure.map { .string($0.message) },
            ]))
    }
}
