import ArgumentParser
import CommandSupport
import ServerCommandSupport
import ServerConfiguration
import ServerCore
import ServerPersistence
import StrictJSON

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Make a new database from a backup, with new keys.",
        discussion: """
            It verifies the backup first. Then it makes new keys and ends all sessions, tokens and links, as "keys \
            replace" does: the backup does not know which of them were used since. Users, credentials and phones stay, \
            and phones sign in as before.

            Stop the server, put the master key into its file, and move the old database away before you begin. The new \
            database appears only when it is complete.
            """)

    @Argument(help: "The backup.")
    var file: String

    @Flag(
        name: .long,
        help:
            "Make a new master key file for a lost one, and replace the key behind the answers for unknown users, too.")
    var lostMasterKey = false

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await options.report {
            let deployment = try options.file.deployment()
            let backup = BackupFile(path: file)
            let summary = try await backup.verify()
            let counts = try await RestoredDatabase(deployment, isMasterKeyLost: lostMasterKey).restore(backup)
            let text: TerminalText = """
                Restored \(counts.words), as of \(summary.statement.createdAt.iso8601). All keys are new, and all \
                sessions, tokens and links have ended.
                Later changes are lost: repeat locks and removals. Then start the server with \
                "signet-server serve\(options.location)".
                """
            var result = summary.json(of: backup)
            result.append("restored", .bool(true))
            return CommandReport.Outcome(text: text, result: result)
        }
    }
}
