import ArgumentParser
import CommandSupport
import ServerCommandSupport
import ServerConfiguration
import ServerCore
import ServerPersistence
import StrictJSON

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Write everything that a server keeps into one file, or verify such a file.",
        discussion: """
            "backup FILE" writes a backup while the server goes on; "backup verify FILE" checks it; "restore FILE" makes a \
            database of it. The master key is not in the file: keep a copy of the key elsewhere.

            Back up a database on a PostgreSQL server with pg_dump: docs/operate/backup.md.
            """,
        subcommands: [BackupWriteCommand.self, BackupVerifyCommand.self], defaultSubcommand: BackupWriteCommand.self)
}

struct BackupWriteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "write", abstract: "Write a backup while the server runs.",
        discussion: """
            The file is one consistent state, readable by its owner only, and appears when all of it is on the disk. Keep \
            the printed SHA-256 of the file: sha256sum compares it.
            """)

    @Argument(help: "The file to write.")
    var file: String

    @Flag(name: .long, help: "Replace a file of this name.")
    var replace = false

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await options.report {
            let deployment = try options.file.deployment()
            guard let database = deployment.database.file else { throw CommandFailure.backupOnServer }
            let empty = EmptyDatabase(deployment, .content)
            try empty.requireMayBeMade()
            guard PosixFiles().exists(database) else {
                throw CommandFailure.local("fileUnusable", "there is no database \(database)")
            }
            let opened = try ServerDatabase(deployment.database, instanceName: deployment.instanceName)
            if try await empty.refuses(opened.tables), let refusal = empty.refusal { throw refusal }
            try opened.close()
            let backup = BackupFile(path: file)
            let summary = try await backup.write(of: database, isReplacing: replace, at: SystemWallClock().now())
            // For "doctor"; the backup is good without it.
            try? BackupNote(besides: deployment.leaseFile).write(summary)
            let text: TerminalText = """
                \(file) holds \(summary.counts.words), as of \(summary.statement.createdAt.iso8601).
                SHA-256 \(summary.hash)
                The master key \(deployment.masterKeyFile) is not in it: keep a copy of that elsewhere.
                """
            return CommandReport.Outcome(text: text, result: summary.json(of: backup))
        }
    }
}

struct BackupVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check that a backup is whole and unchanged.",
        discussion: """
            Checks the pages, the rows of all tables and the chains of the audit; exits with 1 when the file has changed. \
            It needs neither the server nor its configuration nor the master key. An attacker who can write the file can also \
            change its numbers: compare the SHA-256 with the one that "backup" printed.
            """)

    @Argument(help: "The backup.")
    var file: String

    @Option(name: .long, help: "Output format: text or json.")
    var format = OutputFormat.text

    func run() async throws {
        try await CommandReport(program: .server, format: format).run {
            let backup = BackupFile(path: file)
            let summary = try await backup.verify()
            let text: TerminalText = """
                \(file) is whole: \(summary.counts.words), as of \(summary.statement.createdAt.iso8601).
                SHA-256 \(summary.hash)
                """
            return CommandReport.Outcome(text: text, result: summary.json(of: backup))
        }
    }
}

extension BackupFile.Summary {
    func json(of backup: BackupFile) -> JSONObject {
        JSONObject([
            "file": .string(backup.path), "createdAt": .string(statement.createdAt.iso8601),
            "program": .string(statement.program), "counts": .object(counts.json), "sha256": .string(hash),
        ])
    }
}

extension CommandFailure {
    static let backupOnServer = CommandFailure.local(
        "databaseOnServer",
        "the database is on a PostgreSQL server: use pg_dump and pg_restore, and run \"signet-server keys replace\" after a "
            + "restore (docs/operate/backup.md)")
}
