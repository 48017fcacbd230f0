import ArgumentParser
import CommandSupport
import ServerCommandSupport
import ServerConfiguration
import ServerCore
import ServerPersistence
import StrictJSON

struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate", abstract: "Bring the database to the schema of this version.",
        discussion: """
            "serve" does the same when it starts; use these commands to look first, or to migrate beforehand. Each step is \
            one transaction: you may interrupt "apply" and repeat it, and of two that run at once only one runs each step. \
            Deferred steps build indexes of a database that is in use: the servers run them while they serve.
            """,
        subcommands: [MigratePlanCommand.self, MigrateApplyCommand.self, MigrateStatusCommand.self],
        defaultSubcommand: MigrateApplyCommand.self)
}

struct MigratePlanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan", abstract: "Show the steps that \"apply\" would run; change nothing.")

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await options.report {
            let database = try MigratedDatabase(options)
            let steps = try await database.status().filter { $0.appliedAt == nil }.map(\.migration)
            let lines = steps.flatMap { Self.lines($0, in: database.dialect) }
            return CommandReport.Outcome(
                text: steps.isEmpty
                    ? "The database is up to date; nothing would be run." : TerminalText(lines: lines),
                result: [
                    "steps": .array(
                        steps.map { step in
                            .object([
                                "number": .integer(Int64(step.number)), "name": .string(step.name),
                                "deferred": .bool(step.isDeferred),
                                "statements": .array(step.statements(in: database.dialect).map { .string($0) }),
                            ])
                        })
                ])
        }
    }

    private static func lines(_ step: Migration, in dialect: SQLDialect) -> [String] {
        let runner = step.isDeferred ? ", by the servers while they serve" : ""
        let statements = step.statements(in: dialect).flatMap { ($0 + ";").split(separator: "\n").map(String.init) }
        return ["-- step \(step.number), \(step.name)\(runner)"] + statements
    }
}

struct MigrateApplyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply", abstract: "Run the missing steps on the database.")

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await options.report {
            let numbers = try await MigratedDatabase(options).migrate()
            let text: TerminalText =
                numbers.isEmpty
                ? "The database was up to date already."
                : "The database is up to date now; steps run: \(numbers.map(String.init).joined(separator: ", "))."
            return CommandReport.Outcome(text: text, result: ["steps": .array(numbers.map { .integer(Int64($0)) })])
        }
    }
}

struct MigrateStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show all steps, and when each was run; change nothing.")

    @OptionGroup var options: ServerOptions

    func run() async throws {
        try await options.report {
            let steps = try await MigratedDatabase(options).status()
            let lines = steps.map { "\($0.migration.number)  \($0.migration.name)  \(Self.state(of: $0))" }
            return CommandReport.Outcome(
                text: TerminalText(lines: lines),
                result: [
                    "steps": .array(
                        steps.map { step in
                            .object([
                                "number": .integer(Int64(step.migration.number)), "name": .string(step.migration.name),
                                "deferred": .bool(step.migration.isDeferred),
                                "appliedAt": step.appliedAt.map { .integer($0.milliseconds) } ?? .null,
                            ])
                        })
                ])
        }
    }

    private static func state(of step: Migrator.Step) -> String {
        if let time = step.appliedAt { return "run at \(time.iso8601)" }
        return step.isMissing ? "to run" : "to run by the servers while they serve"
    }
}

/// The database of a configuration, for commands about its form, which need no keys and no services.
struct MigratedDatabase {
    private let deployment: Deployment

    init(_ options: ServerOptions) throws {
        deployment = try options.file.deployment()
    }

    var dialect: SQLDialect { deployment.database.file == nil ? .postgreSQL : .sqlite }

    /// The steps, and when the database has seen each; a file that is not there is not made.
    func status() async throws(CommandFailure) -> [Migrator.Step] {
        if let file = deployment.database.file, PosixFiles().permissions(of: file) == nil {
            return Migrations.all.map { Migrator.Step(migration: $0, appliedAt: nil) }
        }
        return try await using { database async throws(ServerPersistenceError) in
            try await Migrator().status(of: database)
        }
    }

    /// Runs the steps that the database has not seen, and returns their numbers; waits for another migration, as a server
    /// that starts does, and says so.
    func migrate() async throws -> [Int] {
        try PosixFiles().makePrivateFolder(deployment.dataDirectory)
        let now = SystemWallClock().now()
        let patience = BusyDatabase(attempts: BusyDatabase.patientAttempts) {
            StandardError.write("waiting for the database, which another process has locked\n")
        }
        return try await using(patience) { database async throws(ServerPersistenceError) in
            try await Migrator().migrate(database, at: now)
        }
    }

    private func using<Value>(
        _ patience: BusyDatabase = BusyDatabase(attempts: 1),
        _ body: (any SQLDatabase) async throws(ServerPersistenceError) -> Value
    ) async throws(CommandFailure) -> Value {
        do throws(ServerPersistenceError) {
            return try await patience.retried { () async throws(ServerPersistenceError) -> Value in
                let database = try ServerDatabase(deployment.database, instanceName: deployment.instanceName)
                let value = try await body(database.tables)
                try database.close()
                return value
            }
        } catch {
            throw CommandFailure(database: error, place: deployment.database.place)
        }
    }
}
