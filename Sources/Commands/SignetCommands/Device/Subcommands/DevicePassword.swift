import ArgumentParser

/// `signet device password`: the password of a user's authenticator.
struct DevicePassword: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "password", abstract: "The password of a user's password authenticator on this phone.",
        subcommands: [DevicePasswordChange.self])
}
