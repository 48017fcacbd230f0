package import Foundation
package import StrictJSON

/// A phone of a story or a test: a folder, and a `signet` process for everything it does.
package struct PhoneProcess: Sendable {
    /// How a command of the phone ended.
    package struct Outcome: Sendable {
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
    }

    /// The program.
    package let program: URL
    /// The folder of the phone.
    package let folder: URL
    /// Where the files of what the processes say go.
    package let logs: URL
    /// Variables that the processes get besides those of this one.
    package let environment: [String: String]

    /// The phone in a folder, made or to be made with `init`.
    package init(program: URL, folder: URL, logs: URL, environment: [String: String] = [:]) {
        self.environment = environment
        self.program = program
        self.folder = folder
        self.logs = logs
    }

    /// Starts one command of the phone, such as `pin change`; `record` takes the exchanges.
    package func start(_ command: String, _ arguments: [String], record: URL? = nil) throws -> ChildProcess {
        let words = command.split(separator: " ").map(String.init)
        var all = ["device"] + words + ["--device", folder.path(), "--format", "json"] + arguments
        if let record { all += ["--record", record.path()] }
        let name = "\(folder.lastPathComponent)-\(words.joined(separator: "-"))-\(UUID().uuidString.prefix(8))"
        return try ChildProcess(program, all, environment: environment, folder: logs, name: name)
    }

    /// Runs one command of the phone to its end.
    package func run(_ command: String, _ arguments: [String], record: URL? = nil) async throws -> Outcome {
        try Self.outcome(of: await start(command, arguments, record: record).ending())
    }

    /// What a command's last line says.
    package static func outcome(of ending: ChildProcess.Ending) throws -> Outcome {
        let line = ending.output.split(separator: "\n").last.map(String.init) ?? ""
        guard let answer = try? JSONParser.parse(line).asObject() else {
            throw CommandFailure.local("PhoneFailed", "the phone process ended without an answer: \(ending.complaints)")
        }
        let error = try answer.optional("error") { value throws(JSONTypeError) in try value.asObject() }
        return Outcome(
            code: ending.code, error: error?.text("code"), uafStatus: error?.number("uafStatus"),
            fidoErrorCode: error?.number("fidoErrorCode"), message: error?.text("message") ?? "done",
            answer: answer)
    }
}

extension JSONObject {
    fileprivate func text(_ name: String) -> String? {
        if case .string(let text)? = self[name] { text } else { nil }
    }

    fileprivate func number(_ name: String) -> Int? {
        if case .number(let number)? = self[name] { number.integer.map { Int($0) } } else { nil }
    }
}
