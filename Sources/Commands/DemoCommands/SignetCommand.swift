package import ArgumentParser
import CommandSupport
import DeviceCommands
import Foundation

/// Command `signet`: the phone's side of Signet.
package struct SignetCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "signet",
        abstract: "Sign in with a phone instead of a password.",
        discussion: "Exit codes: 0 done, 1 refused, 2 failed on this side, 64 wrong usage.",
        version: Program.version,
        subcommands: [
            DeviceCommand.self, PhonePageCommand.self, TryCommand.self, StorageCommand.self, DoctorCommand.self,
            GuardsCommand.self, DemoCommand.self, ReceiptCommand.self,
        ])

    package init() {}

    /// Runs the command line of the process, and exits.
    package static func runProcess() async {
        // Before the process hides its memory: some files about it are then closed to itself as well.
        GuardedProcess.begin(arguments: CommandLine.arguments)
        ProcessSecrecy.enforceInRelease()
        UnknownCommand.refuse(Array(CommandLine.arguments.dropFirst()), of: Self.self)
        // The TPM2 software stack writes every response code of a TPM to standard error, even for a wrong PIN, unless
        // this variable is set.
        setenv("TSS2_LOG", "all+NONE", 0)
        await main()
    }
}
