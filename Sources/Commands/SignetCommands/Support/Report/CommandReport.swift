import ArgumentParser
import StrictJSON

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Runs the body of a command and tells its outcome: text for people, one JSON object for programs, the exit code for
/// both (0 done, 1 refused, 2 failed on this side, 64 wrong usage).
struct CommandReport {
    var program = Program.phone
    var format: OutputFormat

    /// What a command has to say when it succeeds.
    struct Outcome: Sendable {
        /// Lines for a person.
        var text: String
        /// The `result` for a program.
        var result: JSONObject
    }

    /// Runs `body`; on failure ends the command with the exit code that belongs to it.
    func run(_ body: () async throws -> Outcome) async throws {
        try await runSilently { show(try await body()) }
    }

    /// Runs a `body` that tells its outcome itself; on failure ends the command with the exit code that belongs to it.
    func runSilently(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch {
            let failure = program.failure(error)
            switch format {
            case .text: StandardError.write("\(program.rawValue): \(failure.message)\n")
            case .json: printJSON(["ok": .bool(false), "error": .object(failure.json)])
            }
            throw ExitCode(failure.kind.rawValue)
        }
    }

    /// Tells at once what the user of the command needs while it goes on.
    func announce(_ outcome: Outcome) {
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
    /// The `error` of a program's answer.
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
