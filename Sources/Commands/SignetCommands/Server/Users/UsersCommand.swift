import ArgumentParser

/// `signet-server users`.
struct UsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users", abstract: "Add, list, lock and remove the users who may register.",
        subcommands: [
            UsersAddCommand.self, UsersListCommand.self, UsersLockCommand.self, UsersUnlockCommand.self,
            UsersSetPasswordCommand.self, UsersRemoveCommand.self,
        ])
}
