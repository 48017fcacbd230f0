import ArgumentParser
import CommandSupport
import ServerCommandSupport
import ServerConfiguration
import ServerCore
import ServerPersistence
import StrictJSON

/// `signet-server restore`: puts a backup back.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Put a backup back where no database is, with new keys.",
        discussion: """
            The backup is verified first. Then all keys are made anew and everything that was given out ends, as by "keys \
            replace": the backup has forgotten which answers and tokens were used since. Users, credentials and phones \
            stay, and phones sign in as before.

            The master key has to be in its file already. A server must not run, and a database that is there has to be \
            moved away first. Until all is done nothing lies in the place of the database.
            """)

    @Argument(help: "The backup.")
    var file: String

    @Flag(
        name: .long,
        help: "The master key is lost: make a new file, and also replace the key behind the answers for unknown users.")
    var lostMasterKey = false

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await options.report {
            let deployment = try options.file.deployment()
            let backup = BackupFile(path: file)
            let summary = try await backup.verify()
            let counts = try await RestoredDatabase(deployment, isMasterKeyLost: lostMasterKey).restore(backup)
            let text = """
                Restored \(counts.words), as of \(summary.statement.createdAt.iso8601). All keys are new, and what was \
                given out has ended.
                What was changed later is lost: repeat locks and removals. Start the server with \
                "signet-server serve\(options.location)".
                """
            var result = summary.json(of: backup)
            result.append("restored", .bool(true))
            return CommandReport.Outcome(text: text, result: result)
        }
    }
}
