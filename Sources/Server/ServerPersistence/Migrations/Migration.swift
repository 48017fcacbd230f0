package import ServerCore

/// Brings a database to the current form.
///
/// Each step and its record are one transaction: a server that is killed in the middle goes on where it stopped, and
/// of two servers that start together one does the work.
package struct Migrator: Sendable {
    /// Time in which a process that fills an empty database does a step.
    private static let stepTime: Duration = .milliseconds(500)

    private let steps: [Migration]

    package init(_ steps: [Migration] = Migrations.all) {
        self.steps = steps
    }

    /// Runs the steps that the database has not seen and returns their numbers.
    ///
    /// Throws ``ServerPersistenceError/newerSchema(number:)`` and ``ServerPersistenceError/foreignSchema(number:)`` before anything
    /// is changed.
    @discardableResult
    package func migrate(_ database: any SQLDatabase, at now: Timestamp) async throws(ServerPersistenceError) -> [Int] {
        let steps = self.steps
        try await database.migration { connection throws(ServerPersistenceError) in
            try connection.execute(connection.dialect.schema(Self.recordTable), [])
            try Self.requireKnown(try Self.recorded(connection), steps)
        }
        var applied: [Int] = []
        for step in steps {
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
        var missing = try await missingCount(database)
        while missing > 0, missing < steps.count {
            // Another process may be filling it: that one goes on.
            try? await Task.sleep(for: Self.stepTime)
            let left = try await missingCount(database)
            guard left < missing else { throw .olderSchema }
            missing = left
        }
        return missing == 0 ? [] : try await migrate(database, at: now)
    }

    private func missingCount(_ database: any SQLDatabase) async throws(ServerPersistenceError) -> Int {
        try await status(of: database).count { $0.appliedAt == nil }
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
        for statement in step.statements(in: connection.dialect) { try connection.execute(statement, []) }
        try connection.execute(
            "INSERT INTO schema_migrations (number, name, applied_at) VALUES ($1, $2, $3)",
            [.integer(Int64(step.number)), .text(step.name), .integer(now.milliseconds)])
        return true
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
    package static let all: [Migration] = [.baseline]
}

/// One step from an older form of the tables to a newer one; never edited once released.
package struct Migration: Sendable {
    /// Place in the order, from 1 without gaps.
    package let number: Int
    /// Name that is stored with the number and has to be the same ever after.
    package let name: String
    /// The statements, run in order in one transaction.
    package let statements: [String]

    package func statements(in dialect: SQLDialect) -> [String] {
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
    }
}
