package import ServerCore

/// Copy of everything in one database into another, empty one; whichever they are.
///
/// Rows are written in the order of their keys, some hundred in each transaction, so that a copy that was interrupted goes
/// on behind the last row that is there. A mark in the target says that it is not complete; it goes when counts and hashes
/// of all tables are the same on both sides. No server may run on either meanwhile.
package struct DatabaseCopy: Sendable {
    /// Name of the table that marks a target.
    static let mark = "unfinished_copy"

    /// State of a copy, for progress reports.
    package struct Progress: Sendable, Hashable {
        /// Part of the work.
        package enum Phase: Sendable, Hashable {
            case writing, comparing
        }

        package let phase: Phase
        package let table: String
        /// Rows done and rows altogether, over all tables.
        package let done: Int
        package let total: Int

        package init(phase: Phase, table: String, done: Int, total: Int) {
            self.phase = phase
            self.table = table
            self.done = done
            self.total = total
        }
    }

    /// Rows of one table after the copy.
    package struct Copied: Sendable, Hashable {
        package let table: String
        package let rows: Int
    }

    private let source: any SQLDatabase
    private let target: any SQLDatabase
    private let report: @Sendable (Progress) -> Void

    package init(
        from source: any SQLDatabase, to target: any SQLDatabase,
        report: @escaping @Sendable (Progress) -> Void = { _ in }
    ) {
        self.source = source
        self.target = target
        self.report = report
    }

    /// Throws ``ServerPersistenceError/unfinishedCopy`` when a copy into the database was begun and has not ended.
    package static func requireNone(into database: any SQLDatabase) async throws(ServerPersistenceError) {
        let isMarked = try await database.read { connection throws(ServerPersistenceError) in
            try connection.row(connection.dialect.tableQuery, [.text(mark)]) != nil
        }
        if isMarked { throw .unfinishedCopy }
    }

    /// Copies, or goes on with a copy, and returns the tables with the number of their rows.
    ///
    /// Throws ``DatabaseCopyError``; what was written by then stays, and the next call goes on there.
    package func run(at now: Timestamp) async throws(DatabaseCopyError) -> [Copied] {
        try await prepare(at: now)
        let tables = try await reading { connection throws(ServerPersistenceError) in try CopiedTable.all(connection) }
        var total = 0
        for table in tables {
            total += try await reading { connection throws(ServerPersistenceError) in try table.count(connection) }
        }
        var done = 0
        for table in tables { try await copy(table, &done, of: total) }
        var copied: [Copied] = []
        done = 0
        for table in tables { copied.append(try await compare(table, &done, of: total)) }
        _ = try await writing { connection throws(ServerPersistenceError) in
            try connection.execute("DROP TABLE \(Self.mark)", [])
        }
        return copied
    }

    // MARK: - Steps

    /// Brings the target to the form of this version and marks it, unless a copy into it was begun before.
    private func prepare(at now: Timestamp) async throws(DatabaseCopyError) {
        try await requireUsableSource(at: now)
        // Before anything of it is changed: it may be the database of another server.
        let found = try await readingTarget { connection throws(ServerPersistenceError) in
            try Self.filledTable(connection)
        }
        if let found { throw .targetNotEmpty(table: found) }
        do throws(ServerPersistenceError) {
            try await Migrator().migrate(target, at: now)
        } catch {
            throw .target(error)
        }
        let filled = try await writing { connection throws(ServerPersistenceError) in
            try Self.markUnlessFilled(connection, at: now)
        }
        if let filled { throw .targetNotEmpty(table: filled) }
    }

    /// Refuses a source of an older form, one with a part of a copy, and one that a server works on.
    private func requireUsableSource(at now: Timestamp) async throws(DatabaseCopyError) {
        let (steps, running): ([Migrator.Step], String?)
        do throws(ServerPersistenceError) {
            try await Self.requireNone(into: source)
            steps = try await Migrator().status(of: source)
            guard !steps.contains(where: \.isMissing) else { throw .olderSchema }
            running = try await RunningServers.name(on: source, at: now)
        } catch {
            throw .source(error)
        }
        if let running { throw .sourceInUse(process: running) }
    }

    /// Marks a target without rows; returns the name of a table that has some, unless they are of a copy.
    private static func markUnlessFilled(
        _ connection: any SQLConnection, at now: Timestamp
    ) throws(ServerPersistenceError) -> String? {
        guard try connection.row(connection.dialect.tableQuery, [.text(mark)]) == nil else { return nil }
        if let filled = try filledTable(connection) { return filled }
        // It comes from the source.
        try connection.execute("DELETE FROM consumption_watermark", [])
        try connection.execute("CREATE TABLE \(mark) (begun_at BIGINT NOT NULL)", [])
        try connection.execute("INSERT INTO \(mark) (begun_at) VALUES ($1)", [.integer(now.milliseconds)])
        return nil
    }

    /// Name of a table with rows that no copy has written; nil for an empty target of whatever form, and for one with a part
    /// of a copy.
    private static func filledTable(_ connection: any SQLConnection) throws(ServerPersistenceError) -> String? {
        guard try connection.row(connection.dialect.tableQuery, [.text(mark)]) == nil else { return nil }
        for table in try CopiedTable.names(connection) {
            // The only row that an empty database has.
            let condition = table == "consumption_watermark" ? " WHERE purged_before <> 0" : ""
            if try connection.row("SELECT 1 FROM \(table)\(condition) LIMIT 1", []) != nil { return table }
        }
        return nil
    }

    /// Copies the rows of a table behind the last one that is there.
    private func copy(_ table: CopiedTable, _ done: inout Int, of total: Int) async throws(DatabaseCopyError) {
        var last = try await readingTarget { connection throws(ServerPersistenceError) in
            try table.lastKey(connection)
        }
        done += try await readingTarget { connection throws(ServerPersistenceError) in try table.count(connection) }
        while true {
            let key = last
            let rows = try await reading { connection throws(ServerPersistenceError) in
                try table.rows(after: key, connection)
            }
            guard let end = rows.last else { return }
            try await writing { connection throws(ServerPersistenceError) in try table.write(rows, connection) }
            done += rows.count
            report(Progress(phase: .writing, table: table.name, done: done, total: total))
            last = table.keyValues(of: end)
        }
    }

    private func compare(
        _ table: CopiedTable, _ done: inout Int, of total: Int
    ) async throws(DatabaseCopyError) -> Copied {
        var (mine, copied) = (RowsHash(), RowsHash())
        var last: [SQLValue] = []
        while true {
            let key = last
            let rows = try await reading { connection throws(ServerPersistenceError) in
                try table.rows(after: key, connection)
            }
            let others = try await readingTarget { connection throws(ServerPersistenceError) in
                try table.rows(after: key, connection)
            }
            mine.add(rows)
            copied.add(others)
            guard mine == copied else { throw .different(table: table.name) }
            guard let end = rows.last else { break }
            done += rows.count
            report(Progress(phase: .comparing, table: table.name, done: done, total: total))
            last = table.keyValues(of: end)
        }
        return Copied(table: table.name, rows: mine.count)
    }

    // MARK: - Databases

    private func reading<Value: Sendable>(
        _ body: @escaping SQLBody<Value>
    ) async throws(DatabaseCopyError) -> Value {
        do throws(ServerPersistenceError) {
            return try await source.read(body)
        } catch {
            throw .source(error)
        }
    }

    private func readingTarget<Value: Sendable>(
        _ body: @escaping SQLBody<Value>
    ) async throws(DatabaseCopyError) -> Value {
        do throws(ServerPersistenceError) {
            return try await target.read(body)
        } catch {
            throw .target(error)
        }
    }

    private func writing<Value: Sendable>(
        _ body: @escaping SQLBody<Value>
    ) async throws(DatabaseCopyError) -> Value {
        do throws(ServerPersistenceError) {
            return try await target.transaction(body)
        } catch {
            throw .target(error)
        }
    }
}

/// Failure of a copy between databases.
package enum DatabaseCopyError: Error, Hashable, Sendable {
    case source(ServerPersistenceError)
    case target(ServerPersistenceError)
    /// A server runs on the database that is copied, or was killed less than a minute ago.
    case sourceInUse(process: String)
    /// The database that is copied into has rows that no copy has written.
    case targetNotEmpty(table: String)
    /// A table differs after the copy: the source was changed meanwhile, or the target. Empty the target and begin again.
    case different(table: String)
}
