import ArgumentParser
import ServerCore
import StrictJSON

/// `signet-server users`.
struct UsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users", abstract: "Add, list, lock and remove the users who may register.",
        subcommands: [
            UsersAddCommand.self, UsersListCommand.self, UsersLockCommand.self, UsersUnlockCommand.self,
            UsersSetPasswordCommand.self, UsersRemoveCommand.self,
        ])
}

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
