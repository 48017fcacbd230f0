import ArgumentParser
import BackendAPI
import UAF

/// `signet-server dispatch deregister`.
struct DispatchDeregisterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deregister", abstract: "Take credentials away from a user and from the phone that gets this.",
        discussion: """
            The credentials end at the moment when a phone brings the token back. "credentials remove" needs no phone.
            """)

    @Option(name: .long, help: ArgumentHelp("Name or external id of the user.", valueName: "name"))
    var user: String

    @OptionGroup var selection: CredentialSelection

    @OptionGroup var dispatch: DispatchOptions

    @OptionGroup var options: ServerOptions

    func validate() throws {
        _ = try context()
    }

    func run() async throws { try await DispatchDesk.perform(context, dispatch, options) }

    /// What is asked for.
    func context() throws -> DeregistrationContext {
        DeregistrationContext(username: try DispatchOptions.userName(user), scope: scope)
    }

    private var scope: DeregistrationContext.Scope {
        guard let model = selection.model else { return .everything }
        guard let key = selection.key else { return .models([model]) }
        return .keys([CredentialID(aaid: model, keyID: key)])
    }
}
