import ArgumentParser
import BackendAPI

/// `signet-server dispatch register`.
struct DispatchRegisterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "register", abstract: "Invite a user to register a phone.",
        discussion: """
            Whoever opens the link or scans the code first registers a phone for the user: show it to nobody else.
            """)

    @Option(name: .long, help: ArgumentHelp("Name or external id of the user.", valueName: "name"))
    var user: String

    @Option(name: .long, help: ArgumentHelp("The policy, instead of the default one.", valueName: "name"))
    var policy: String?

    @OptionGroup var dispatch: DispatchOptions

    @OptionGroup var options: ServerOptions

    func validate() throws {
        _ = try context()
    }

    func run() async throws { try await DispatchDesk.perform(context, dispatch, options) }

    /// What is asked for.
    func context() throws -> RegistrationContext {
        RegistrationContext(username: try DispatchOptions.userName(user), policy: policy)
    }
}
