import ArgumentParser
import CommandSupport
import ServerCore
import StrictJSON
import UAFService

struct SessionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "End the logins of users.",
        subcommands: [SessionsEndCommand.self])
}

struct SessionsEndCommand: AdministrationCommand {
    static let configuration = CommandConfiguration(
        commandName: "end", abstract: "End all sessions and tokens of a user, at once.",
        discussion: """
            This also ends what the user has begun with them: open registrations, and operations that wait on a phone. \
            The server refuses earlier tokens of trusted issuers as well. Keys, devices and the password stay: the user \
            signs in again.
            """)

    @Option(name: .long, help: ArgumentHelp("Name or external id of the user.", valueName: "name"))
    var user: GivenName

    @OptionGroup var options: ServerOptions

    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        try await services.users.endSessions(ofUserNamed: user.text)
        return CommandReport.Outcome(
            text: "Ended all sessions and tokens of \(user.terminal).",
            result: ["user": .string(user.text), "ended": .bool(true)])
    }
}
