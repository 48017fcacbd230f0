import ArgumentParser

/// `signet-server keys`.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Look after the keys of the server.",
        subcommands: [KeysRotateCommand.self, KeysReplaceCommand.self])
}
