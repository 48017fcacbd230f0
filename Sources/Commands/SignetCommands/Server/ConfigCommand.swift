import ArgumentParser

/// `signet-server config`.
struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Look at the configuration without using it.",
        subcommands: [ConfigCheckCommand.self])
}
