package import ArgumentParser

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// `signet`: the phone's side on the command line.
package struct SignetCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "signet",
        abstract: "Sign in with a phone instead of a password.",
        discussion: "Exit codes: 0 done, 1 refused, 2 failed on this side, 64 wrong usage.",
        version: Program.version,
        subcommands: [DeviceCommand.self, StorageCommand.self, DoctorCommand.self, DemoCommand.self])

    /// Made by the argument parser.
    package init() {}

    /// Runs the command that the process was started with, and ends the process.
    package static func runProcess() async {
        ProcessSecrecy.enforceInRelease()
        // The TPM2 software stack writes every refusal of a chip to the standard error, also a wrong PIN; it reads this.
        setenv("TSS2_LOG", "all+NONE", 0)
        await main()
    }
}
