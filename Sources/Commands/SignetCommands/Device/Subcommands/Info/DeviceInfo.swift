import ArgumentParser

/// `signet device info`: what servers know about the phone.
struct DeviceInfo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Name and push messages of this phone, as its servers know them.",
        subcommands: [DeviceInfoShow.self, DeviceInfoChange.self], defaultSubcommand: DeviceInfoShow.self)
}
