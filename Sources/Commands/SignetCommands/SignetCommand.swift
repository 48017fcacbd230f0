package import ArgumentParser

/// `signet`: the phone's side on the command line.
package struct SignetCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "signet",
        abstract: "Sign in with a phone instead of a password.",
        discussion: "Exit codes: 0 done, 1 refused, 2 failed on this side, 64 wrong usage.",
        subcommands: [DeviceCommand.self, StorageCommand.self, DoctorCommand.self, DemoCommand.self])

    /// Made by the argument parser.
    package init() {}

    /// Runs the command that the process was started with, and ends the process.
    package static func runProcess() async {
        await main()
    }
}
