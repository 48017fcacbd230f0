import ArgumentParser

/// `signet-server dispatch`.
struct DispatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dispatch", abstract: "Send an operation to a phone, as a portal would, and see how it goes.",
        discussion: """
            For trying things out and for the help desk; a system that does this every day uses the HTTP interface \
            with an access key. The commands work beside a running server, which the phone then talks to.
            """,
        subcommands: [
            DispatchRegisterCommand.self, DispatchAuthenticateCommand.self, DispatchDeregisterCommand.self,
            DispatchStatusCommand.self,
        ])
}
