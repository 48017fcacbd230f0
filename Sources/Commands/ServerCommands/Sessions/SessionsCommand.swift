import ArgumentParser
import CommandSupport
import ServerAdministration

struct SessionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "End the logins of users.",
        subcommands: [OperationCommand<EndSessions>.self])
}

struct EndSessions: SingleRequest {
    static let configuration = CommandConfiguration(
        commandName: "end", abstract: "End all sessions and tokens of a user, at once.",
        discussion: """
            This also ends what the user has begun with them: open registrations, and operations that wait on a phone. \
            The server refuses earlier tokens of trusted issuers as well. Keys, devices and the password stay: the user \
            signs in again.
            """)

    @Option(name: .long, help: ArgumentHelp("Name or external id of the user.", valueName: "name"))
    var user: GivenName

    var step: OperationStep {
        OperationStep(
            .endSessions, query: ["user": user.text], done: "Ended all sessions and tokens of \(user.terminal).")
    }
}
