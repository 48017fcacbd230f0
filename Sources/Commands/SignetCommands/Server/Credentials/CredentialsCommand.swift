import ArgumentParser

/// `signet-server credentials`.
struct CredentialsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "credentials", abstract: "Look after the keys that users have registered.",
        subcommands: [
            CredentialsListCommand.self, CredentialsDisableCommand.self, CredentialsEnableCommand.self,
            CredentialsRemoveCommand.self,
        ])
}
