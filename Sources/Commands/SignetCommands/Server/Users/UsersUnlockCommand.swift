import ArgumentParser
import ServerCore
import StrictJSON

/// `signet-server users unlock`.
struct UsersUnlockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock", abstract: "Lift the lock of a user, who can then sign in again.",
        discussion: "Sessions and tokens from before the lock stay ended.")

    @Argument(help: "Name or external id of the user.")
    var name: String

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await options.reportOnServices { services in try await outcome(on: services) }
    }

    /// Unlocks the user.
    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        try await services.users.unlock(named: name)
        return CommandReport.Outcome(
            text: "Unlocked \(ForeignText.name(name)).",
            result: ["user": .string(name), "status": .string(User.Status.active.rawValue)])
    }
}
