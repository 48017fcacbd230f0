import ArgumentParser
import StrictJSON

/// What a command of `signet-server` has to say when it succeeds.
struct ServerReport {
    /// For people.
    let text: String
    /// For scripts.
    let result: JSONObject

    /// Runs a command and prints its report, or why there is none; ends the process with the matching exit code.
    static func print(
        as format: ReportFormat, _ command: () async throws -> ServerReport
    ) async throws {
        do {
            let report = try await command()
            switch format {
            case .text: if !report.text.isEmpty { Swift.print(report.text) }
            case .json: Swift.print(JSONWriter.text(.object(["ok": .bool(true), "result": .object(report.result)])))
            }
        } catch let exit as ExitCode {
            throw exit
        } catch {
            let failure = ServerCommandFailure(error)
            switch format {
            case .text: StandardError.write("signet-server: \(failure.message)\n")
            case .json: Swift.print(JSONWriter.text(failure.json))
            }
            throw ExitCode(failure.kind.rawValue)
        }
    }
}

extension ServerCommandFailure {
    fileprivate var json: JSONValue {
        let error: JSONObject = [
            "code": .string(code), "fidoErrorCode": .null, "uafStatus": .null, "message": .string(message),
            "retryable": .bool(isRetryable),
        ]
        return .object(["ok": .bool(false), "error": .object(error)])
    }
}
