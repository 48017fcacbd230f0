import ArgumentParser

/// `signet-server devices`.
struct DevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices", abstract: "Look after the phones of users: what is lost is removed with all its keys.",
        discussion: "An id that begins with a hyphen comes behind all options and \"--\".",
        subcommands: [DevicesListCommand.self, DevicesRemoveCommand.self])
}
