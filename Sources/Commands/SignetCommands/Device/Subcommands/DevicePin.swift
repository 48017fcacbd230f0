import ArgumentParser

/// `signet device pin`: the PIN of a user.
struct DevicePin: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin", abstract: "The PIN of a user on this phone.", subcommands: [DevicePinChange.self])
}
