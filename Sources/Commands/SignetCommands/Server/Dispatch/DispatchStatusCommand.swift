import ArgumentParser
import ServerCore
import StrictJSON

/// `signet-server dispatch status`.
struct DispatchStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Tell how far an operation is.",
        discussion: """
            The exit code is 0 whatever the status is; "unknown" also stands for long ago. An id that begins with a \
            hyphen comes last, behind "--".
            """)

    @Argument(help: "The session id or the token that the dispatch told.")
    var session: String

    @Option(
        name: .long,
        help: ArgumentHelp("Wait for the end of the operation, at most this long.", valueName: "seconds"))
    var wait: Int?

    @OptionGroup var options: ServerOptions

    func validate() throws {
        if let wait, !(1...3_600).contains(wait) { throw ValidationError("Wait for 1 to 3600 seconds.") }
    }

    func run() async throws {
        try await options.reportOnServices { services in try await outcome(on: services) }
    }

    /// The status, at once or at the end.
    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        let status = try await services.status.status(
            ofSessionOrToken: session, untilEndedFor: .seconds(wait ?? 0))
        return CommandReport.Outcome(text: status.sentence, result: try status.json.asObject())
    }
}
