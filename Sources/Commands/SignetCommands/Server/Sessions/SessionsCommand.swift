import ArgumentParser

/// `signet-server sessions`.
struct SessionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "End what users are logged in with.",
        subcommands: [SessionsEndCommand.self])
}
