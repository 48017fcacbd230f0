package import StrictJSON

/// How a command of a story or a test ended, as its last line says it to programs.
package struct CommandOutcome: Sendable {
    /// The exit code.
    package let code: Int32
    /// The name of the failure, if it failed.
    package let error: String?
    /// The UAF status the server answered with, if it refused.
    package let uafStatus: Int?
    /// The FIDO client error code, if there is one.
    package let fidoErrorCode: Int?
    /// The sentence for people.
    package let message: String
    /// Everything that the command answered.
    package let answer: JSONObject

    /// Whether the command did what it was asked to.
    package var isDone: Bool { code == 0 }

    /// What the command found out; empty when it failed.
    package var result: JSONObject {
        if case .object(let result)? = answer["result"] { result } else { [:] }
    }

    /// Reads the last line of a process that has ended; throws ``CommandFailure`` when it is no answer.
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
    /// The text of a member; nil for none, and for another kind of value.
    package func text(_ name: String) -> String? {
        if case .string(let text)? = self[name] { text } else { nil }
    }

    /// The number of a member; nil for none, and for another kind of value.
    package func number(_ name: String) -> Int? {
        if case .number(let number)? = self[name] { number.integer.map { Int($0) } } else { nil }
    }

    /// The objects of a member; empty for none, and for another kind of value.
    package func objects(_ name: String) -> [JSONObject] {
        guard case .array(let values)? = self[name] else { return [] }
        return values.compactMap { if case .object(let object) = $0 { object } else { nil } }
    }
}
