import ArgumentParser

/// `signet device info`: what servers know about the phone.
struct DeviceRecord: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Name and push messages of this phone, as its servers know them.",
        subcommands: [DeviceRecordShow.self, DeviceRecordChange.self], defaultSubcommand: DeviceRecordShow.self)
}
