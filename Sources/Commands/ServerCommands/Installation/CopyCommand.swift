import ArgumentParser
import CommandSupport
import ServerCommandSupport
import ServerConfiguration
import ServerCore
import ServerPersistence
import StrictJSON
import Synchronization

struct CopyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy", abstract: "Copy a database into another one, such as a file to a PostgreSQL server.",
        discussion: """
            A database is "sqlite:FILE", or "postgresql:FILE" with a configuration file whose section "database" names \
            the server, its password file and its certificates. Stop the server first. An interrupted copy goes on when \
            the same command is run again; no server starts on a database with a part of a copy. At the end numbers \
            and hashes of all rows are compared.

            The master key file is not copied: the keys in the new database are wrapped by the same one.
            """)

    @Option(name: .long, help: ArgumentHelp("The database to copy.", valueName: "sqlite:FILE|postgresql:FILE"))
    var from: DatabaseLocation

    @Option(
        name: .long, help: ArgumentHelp("The database to fill, likewise.", valueName: "sqlite:FILE|postgresql:FILE"))
    var to: DatabaseLocation

    @Option(name: .long, help: "Output format: text or json.")
    var format = OutputFormat.text

    func run() async throws {
        try await CommandReport(program: .server, format: format).run {
            let copied = try await copy()
            let rows = copied.reduce(0) { $0 + $1.rows }
            return CommandReport.Outcome(
                text: "\(rows) rows of \(copied.count) tables are copied and compared.",
                result: [
                    "rows": .integer(Int64(rows)),
                    "tables": .object(
                        JSONObject(distinct: copied.map { JSONObject.Member($0.table, .integer(Int64($0.rows))) })),
                ])
        }
    }

    private func copy() async throws -> [DatabaseCopy.Copied] {
        let (source, target) = (try from.deployment(), try to.deployment())
        guard source != target else { throw CommandFailure.refused("sameDatabase", "that is one database") }
        if let file = source.file, PosixFiles().permissions(of: file) == nil {
            throw CommandFailure.local("fileUnusable", "there is no database \(file)")
        }
        let leases = try [source, target].compactMap(\.file).map { try DatabaseLease.exclusive(on: $0) }
        defer { for lease in leases { lease.release() } }
        let (one, other) = (try Self.open(source), try Self.open(target))
        let progress = CopyProgress()
        do throws(DatabaseCopyError) {
            let copied = try await DatabaseCopy(from: one.tables, to: other.tables) { progress.show($0) }
                .run(at: SystemWallClock().now())
            try? one.close()
            try? other.close()
            return copied
        } catch {
            throw CommandFailure(copying: error, from: source.place, to: target.place)
        }
    }

    private static func open(_ deployment: DatabaseDeployment) throws(CommandFailure) -> ServerDatabase {
        do throws(ServerPersistenceError) {
            return try ServerDatabase(patient(deployment), instanceName: "copy")
        } catch {
            throw CommandFailure(database: error, place: deployment.place)
        }
    }

    /// The database without a time for one statement: counting a large table takes longer than a request may.
    static func patient(_ deployment: DatabaseDeployment) -> DatabaseDeployment {
        guard case .postgreSQL(var server) = deployment else { return deployment }
        server.statementTimeout = .zero
        return .postgreSQL(server)
    }
}

struct DatabaseLocation: ExpressibleByArgument, Hashable, Sendable {
    private let driver: DatabaseDeployment.Driver
    private let path: String

    init?(argument: String) {
        let parts = argument.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, let driver = DatabaseDeployment.Driver(rawValue: parts[0]) else { return nil }
        self.driver = driver
        path = parts[1]
    }

    /// The database: the file itself, or the server that a configuration file names.
    func deployment() throws -> DatabaseDeployment {
        switch driver {
        case .sqlite: return .sqlite(file: path)
        case .postgresql:
            let database = try ConfigurationFile(path: path, dataDirectory: nil).deployment().database
            guard database.file == nil else {
                throw CommandFailure.local(
                    "invalidConfiguration", "\(path) names no PostgreSQL server (database.driver: postgresql)")
            }
            return database
        }
    }
}

/// Progress of a copy on standard error, a line for each tenth.
final class CopyProgress: Sendable {
    private let lastLine = Mutex("")

    func show(_ progress: DatabaseCopy.Progress) {
        let line = Self.line(progress)
        let isNew = lastLine.withLock { last in
            defer { last = line }
            return last != line
        }
        if isNew { StandardError.write(line + "\n") }
    }

    static func line(_ progress: DatabaseCopy.Progress) -> String {
        let share = progress.total == 0 ? 1 : min(1, Double(progress.done) / Double(progress.total))
        return "\(progress.phase == .writing ? "copying" : "comparing"): \(Int(share * 10) * 10) %"
    }
}

extension CommandFailure {
    init(copying error: DatabaseCopyError, from source: String, to target: String) {
        switch error {
        case .source(let error): self.init(database: error, place: source)
        case .target(let error): self.init(database: error, place: target)
        case .sourceInUse(let process): self.init(databaseInUseBy: process, place: source)
        case .targetNotEmpty(let table):
            self = .refused(
                "databaseNotEmpty",
                "the database \(target) has rows that no copy wrote (table \(table)): use an empty one")
        case .different(let table):
            self = .refused(
                "copyDiffers",
                "the table \(table) differs: a server has changed one of the databases meanwhile. Stop it, empty "
                    + "\(target), and begin again")
        }
    }
}
