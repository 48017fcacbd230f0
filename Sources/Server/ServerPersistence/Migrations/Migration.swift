package import ServerCore

/// Brings a database to the current form.
///
/// Each step and its record are one transaction: a server that is killed in the middle goes on where it stopped, and
/// of two servers that start together one does the work. A new database has all steps or none, the deferred ones included, for which no
/// other start waits.
package struct Migrator: Sendable {
    private let steps: [Migration]
    private var required: [Migration] { steps.filter { !$0.isDeferred } }

    package init(_ steps: [Migration] = Migrations.all) {
        self.steps = steps
    }

    /// Runs the steps that the database has not seen and returns their numbers; deferred ones in a new database only.
    ///
    /// Throws ``ServerPersistenceError/newerSchema(number:)`` and ``ServerPersistenceError/foreignSchema(number:)`` before anything
    /// is changed.
    @discardableResult
    package func migrate(_ database: any SQLDatabase, at now: Timestamp) async throws(ServerPersistenceError) -> [Int] {
        let steps = self.steps
        var applied = try await database.migration { connection throws(ServerPersistenceError) in
            try connection.execute(connection.dialect.schema(Self.recordTable), [])
            let recorded = try Self.recorded(connection)
            try Self.requireKnown(recorded, steps)
            guard recorded.isEmpty else { return [Int]() }
            for step in steps { _ = try Self.apply(step, connection, at: now) }
            return steps.map(\.number)
        }
        guard applied.isEmpty else { return applied }
        for step in required {
            let isNew = try await database.migration { connection throws(ServerPersistenceError) in
                try Self.apply(step, connection, at: now)
            }
            if isNew { applied.append(step.number) }
        }
        return applied
    }

    /// Makes an empty database one of this version, and returns the numbers of its steps; one of this version stays as it is.
    ///
    /// Throws ``ServerPersistenceError/olderSchema`` for one of an earlier version, and like ``migrate(_:at:)``.
    package func requireCurrent(_ database: any SQLDatabase, at now: Timestamp) async throws(ServerPersistenceError)
        -> [Int]
    {
        let missing = try await status(of: database).count(where: \.isMissing)
        guard missing == 0 || missing == required.count else { throw .olderSchema }
        return missing == 0 ? [] : try await migrate(database, at: now)
    }

    /// Runs the deferred steps that the database has not seen, while servers serve, and returns their numbers.
    ///
    /// A step that another process is at is left to it.
    package func migrateDeferred(
        _ database: any SQLDatabase, at now: @escaping @Sendable () -> Timestamp
    ) async throws(ServerPersistenceError) -> [Int] {
        var applied: [Int] = []
        for step in try await status(of: database) where step.isLeftToServers {
            let isNew = try await database.backgroundWork { connection throws(ServerPersistenceError) in
                try Self.build(step.migration, connection, at: now)
            }
            if isNew == true { applied.append(step.migration.number) }
        }
        return applied
    }

    /// The steps in order with the time at which the database has seen each; nothing is changed.
    ///
    /// Throws like ``migrate(_:at:)``.
    package func status(of database: any SQLDatabase) async throws(ServerPersistenceError) -> [Step] {
        let steps = self.steps
        return try await database.read { connection throws(ServerPersistenceError) in
            guard try connection.row(connection.dialect.tableQuery, [.text("schema_migrations")]) != nil else {
                return steps.map { Step(migration: $0, appliedAt: nil) }
            }
            try Self.requireKnown(try Self.recorded(connection), steps)
            var times: [Int64: Timestamp] = [:]
            for row in try connection.rows("SELECT number, applied_at FROM schema_migrations", []) {
                var columns = RowReader(row, table: "schema_migrations")
                times[try columns.integer("number")] = Timestamp(milliseconds: try columns.integer("applied_at"))
            }
            return steps.map { Step(migration: $0, appliedAt: times[Int64($0.number)]) }
        }
    }

    /// Step of this version, and whether a database has seen it.
    package struct Step: Sendable {
        package let migration: Migration
        /// Time of the server that ran the step; nil when it is still to run.
        package let appliedAt: Timestamp?

        /// Whether the database is of an earlier version without it.
        package var isMissing: Bool { appliedAt == nil && !migration.isDeferred }
        /// Whether it runs while servers serve, and has not.
        package var isLeftToServers: Bool { appliedAt == nil && migration.isDeferred }

        package init(migration: Migration, appliedAt: Timestamp?) {
            self.migration = migration
            self.appliedAt = appliedAt
        }
    }

    private static let recordTable = """
        CREATE TABLE IF NOT EXISTS schema_migrations (
            number BIGINT PRIMARY KEY,
            name TEXT NOT NULL,
            applied_at BIGINT NOT NULL
        )
        """

    /// Runs one step unless it is recorded; the record is read inside the same transaction.
    private static func apply(
        _ step: Migration, _ connection: any SQLConnection, at now: Timestamp
    ) throws(ServerPersistenceError) -> Bool {
        guard try recorded(connection)[step.number] == nil else { return false }
        let statements = step.index.map { [$0.creation] } ?? step.statements(in: connection.dialect)
        for statement in statements { try connection.execute(statement, []) }
        try record(step, connection, at: now)
        return true
    }

    /// Builds the index of a step, unless it is recorded.
    ///
    /// Outside a transaction one may be there: a whole one without its record, or a part that is of no use.
    private static func build(
        _ step: Migration, _ connection: any SQLConnection, at now: () -> Timestamp
    ) throws(ServerPersistenceError) -> Bool {
        guard let index = step.index, try recorded(connection)[step.number] == nil else { return false }
        let dialect = connection.dialect
        let isWhole = try connection.row(dialect.indexQuery, [.text(index.name)])?.values.first
        if isWhole == .integer(0) { try connection.execute(dialect.removal(ofIndex: index.name), []) }
        if isWhole != .integer(1) {
            for statement in step.statements(in: dialect) { try connection.execute(statement, []) }
        }
        try record(step, connection, at: now())
        return true
    }

    /// Another process may have recorded a deferred step just before.
    private static func record(
        _ step: Migration, _ connection: any SQLConnection, at now: Timestamp
    ) throws(ServerPersistenceError) {
        try connection.execute(
            "INSERT INTO schema_migrations (number, name, applied_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
            [.integer(Int64(step.number)), .text(step.name), .integer(now.milliseconds)])
    }

    private static func recorded(_ connection: any SQLConnection) throws(ServerPersistenceError) -> [Int: String] {
        var names: [Int: String] = [:]
        for row in try connection.rows("SELECT number, name FROM schema_migrations", []) {
            var columns = RowReader(row, table: "schema_migrations")
            names[Int(try columns.integer("number"))] = try columns.text("name")
        }
        return names
    }

    private static func requireKnown(
        _ recorded: [Int: String], _ steps: [Migration]
    ) throws(ServerPersistenceError) {
        let known = Dictionary(steps.map { ($0.number, $0.name) }) { first, _ in first }
        for (number, name) in recorded.sorted(by: { $0.key < $1.key }) {
            guard let expected = known[number] else { throw .newerSchema(number: number) }
            guard name == expected else { throw .foreignSchema(number: number) }
        }
    }
}

/// All steps, in order.
package enum Migrations {
    package static let all: [Migration] = [.baseline, .passkeys]
}

/// One step from an older form of the tables to a newer one; never edited once released.
package struct Migration: Sendable {
    /// Place in the order, from 1 without gaps.
    package let number: Int
    /// Name that is stored with the number and has to be the same ever after.
    package let name: String
    /// The statements, run in order in one transaction; none of a deferred step.
    package let statements: [String]
    /// Index of a deferred step; nil for a step that a start waits for.
    let index: DeferredIndex?

    /// Whether no start waits for the step: it runs while servers serve.
    package var isDeferred: Bool { index != nil }

    package func statements(in dialect: SQLDialect) -> [String] {
        if let index { return [dialect.creation(of: index)] }
        // Servers may run meanwhile: what they write into a table after its rows were read would go with it.
        let lock = dialect.writeLock(on: droppedTables)
        return (lock.map { [$0] } ?? []) + statements.map(dialect.schema)
    }

    /// Tables that the statements drop, once their rows stand in another one.
    var droppedTables: [String] {
        let words = "DROP TABLE "
        return statements.compactMap { $0.hasPrefix(words) ? String($0.dropFirst(words.count)) : nil }
    }

    package init(_ number: Int, _ name: String, _ statements: [String]) {
        self.number = number
        self.name = name
        self.statements = statements
        index = nil
    }

    /// Step that builds an index, by its name and by the table and columns that `CREATE INDEX` has behind `ON`.
    ///
    /// Without it queries have the same results, and take longer; it is not unique.
    package init(_ number: Int, _ name: String, deferredIndex index: String, on place: String) {
        self.number = number
        self.name = name
        statements = []
        self.index = DeferredIndex(name: index, place: place)
    }
}

/// Index that is built while servers serve.
struct DeferredIndex: Sendable {
    let name: String
    let place: String

    /// Statement for a transaction, in which others wait.
    var creation: String { "CREATE INDEX IF NOT EXISTS \(name) ON \(place)" }
}
