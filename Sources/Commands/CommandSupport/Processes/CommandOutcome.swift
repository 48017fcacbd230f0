package import StrictJSON

/// Outcome of a command in a demonstration or a test, read from the JSON object in its last line.
package struct CommandOutcome: Sendable {
    /// Exit code.
    package let code: Int32
    /// Name of the failure; nil after a success.
    package let error: String?
    package let uafStatus: Int?
    package let fidoErrorCode: Int?
    package let message: String
    package let answer: JSONObject

    package var isDone: Bool { code == 0 }

    /// Member `result` of the JSON object; empty after a failure.
    package var result: JSONObject {
        if case .object(let result)? = answer["result"] { result } else { [:] }
    }

    /// Reads the last line of an exited process; throws ``CommandFailure`` when it is not a command's JSON object.
    package init(_ ending: ChildProcess.Ending) throws {
        let line = ending.output.split(separator: "\n").last.map(String.init) ?? ""
        guard let answer = try? JSONParser.parse(line).asObject() else {
            throw CommandFailure.local("ProcessFailed", "the process ended without an answer: \(ending.complaints)")
        }
        let error = try answer.optional("error") { value throws(JSONTypeError) in try value.asObject() }
        code = ending.code
        self.error = error?.text("code")
        uafStatus = error?.number("uafStatus")
        fidoErrorCode = error?.number("fidoErrorCode")
        message = error?.text("message") ?? "done"
        self.answer = answer
    }
}

extension JSONObject {
    /// Text of a member; nil when it is absent or of another type.
    package func text(_ name: String) -> String? {
        if case .string(let text)? = self[name] { text } else { nil }
    }

    /// Number of a member; nil when it is absent or of another type.
    package func number(_ name: String) -> Int? {
        if case .number(let number)? = self[name] { number.integer.map { Int($0) } } else { nil }
    }

    /// Objects of a member's array; empty when it is absent or of another type.
    package func objects(_ name: String) -> [JSONObject] {
        guard case .array(let values)? = self[name] else { return [] }
        return values.compactMap { if case .object(let object) = $0 { object } else { nil } }
    }
}
