package import ArgumentParser
import CommandSupport

package struct SignetServerCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "signet-server",
        abstract: "Run and administer a FIDO UAF 1.1 server, with which phones sign users in.",
        discussion: """
            Start it with "signet-server serve": without a configuration it serves https://127.0.0.1:8443 for this \
            machine and keeps its data in $XDG_STATE_HOME/signet-server. Every setting of the configuration file can \
            be overridden by the environment: server.port by SIGNET_SERVER_SERVER_PORT, and so on.

            Exit codes: 0 done, 1 refused, 2 something on this machine is missing or broken, 64 wrong usage.
            """,
        version: Program.version,
        subcommands: [
            ServeCommand.self, MigrateCommand.self, CopyCommand.self, ImportCommand.self, BackupCommand.self,
            RestoreCommand.self,
            ConfigCommand.self, ServerDoctorCommand.self, AdminCommand.self, KeysCommand.self, UsersCommand.self,
            DevicesCommand.self, CredentialsCommand.self, PasskeysCommand.self, SessionsCommand.self,
            AuditCommand.self, DispatchCommand.self, ClientCommand.self, OutgoingCommand.self, AccessKeyCommand.self,
        ])

    package init() {}

    package static func runProcess() async {
        ProcessSecrecy.enforceInRelease()
        UnknownCommand.refuse(
            Array(CommandLine.arguments.dropFirst()), of: Self.self, moved: ["targets": "devices"])
        EventLoopCount.set()
        await main()
    }
}
