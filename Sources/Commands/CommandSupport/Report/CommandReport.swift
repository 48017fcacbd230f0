import ArgumentParser
import Foundation
package import StrictJSON

/// Reporter of a command's outcome: as text, as one JSON object, and as the exit code (0 success, 1 refused, 2 failed
/// on this side, 64 wrong usage).
package struct CommandReport: Sendable {
    private let program: Program
    private let format: OutputFormat

    package init(program: Program, format: OutputFormat) {
        self.program = program
        self.format = format
    }

    /// Result of a successful command.
    package struct Outcome: Sendable {
        package var text: TerminalText
        /// Member `result` of the JSON object.
        package var result: JSONObject

        package init(text: TerminalText, result: JSONObject) {
            self.text = text
            self.result = result
        }
    }

    /// Runs `body`, reports its outcome, and on failure ends the command with the failure's exit code.
    package func run(_ body: () async throws -> Outcome) async throws {
        try await runSilently { show(try await body()) }
    }

    /// Runs a `body` that reports its outcome itself; on failure ends the command with the failure's exit code.
    package func runSilently(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch {
            let failure = program.failure(error)
            switch format {
            case .text: StandardError.write("\(program.name): \(ForeignText.page(failure.message))\n")
            case .json: printJSON(["ok": .bool(false), "error": .object(failure.json)])
            }
            throw ExitCode(failure.kind.rawValue)
        }
    }

    /// Reports an intermediate result while the command is still running.
    package func announce(_ outcome: Outcome) {
        show(outcome)
        fflush(nil)
    }

    private func show(_ outcome: Outcome) {
        switch format {
        case .text: if !outcome.text.isEmpty { print(outcome.text) }
        case .json: printJSON(["ok": .bool(true), "result": .object(outcome.result)])
        }
    }

    private func printJSON(_ members: KeyValuePairs<String, JSONValue?>) {
        print(JSONWriter.text(.object(JSONObject(members))))
    }
}

extension CommandFailure {
    /// Member `error` of the JSON object.
    fileprivate var json: JSONObject {
        JSONObject([
            "code": .string(code),
            "fidoErrorCode": fidoErrorCode.map { .integer($0) } ?? .null,
            "uafStatus": uafStatus.map { .integer($0) } ?? .null,
            "message": .string(message),
            "retryable": .bool(isRetryable),
        ])
    }
}
