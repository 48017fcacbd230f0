import ArgumentParser
import ServerCore
import StrictJSON

/// `signet-server users lock`.
struct UsersLockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock", abstract: "Lock a user: nothing succeeds for the account any more, at once.",
        discussion: """
            Sign-ins, registrations and operations that wait on a phone are refused until "users unlock". Sessions and \
            tokens end with the lock and do not come back with its end; keys, devices and the password stay.
            """)

    @Argument(help: "Name or external id of the user.")
    var name: String

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await options.reportOnServices { services in try await outcome(on: services) }
    }

    /// Locks the user.
    func outcome(on services: ServerServices) async throws -> CommandReport.Outcome {
        try await services.users.lock(named: name)
        return CommandReport.Outcome(
            text: "Locked \(ForeignText.name(name)); all sessions and tokens are ended.",
            result: ["user": .string(name), "status": .string(User.Status.locked.rawValue)])
    }
}
