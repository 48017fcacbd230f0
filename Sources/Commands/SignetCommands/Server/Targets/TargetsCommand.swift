import ArgumentParser

/// `signet-server targets`.
struct TargetsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "targets", abstract: "Look after the phones that operations can be sent to.",
        discussion: "An id that begins with a hyphen comes behind all options and \"--\".",
        subcommands: [TargetsListCommand.self, TargetsRenameCommand.self, TargetsUnsetPushCommand.self])
}
