import Foundation
import GRDB
import GRDBSQLite
package import ServerPersistence

/// A SQLite database in one file, or in memory for tests.
///
/// One connection writes, when it is this process's turn (``WriteLock``); readers see the last committed state
/// (write-ahead log). Every commit is synchronised to the disk: `synchronous=FULL` is set after opening, because the
/// pool of connections sets `NORMAL`, and then read back. An attacker who could lower it would win the replay of
/// answers accepted just before a power failure.
package final class SQLiteDatabase: SQLDatabase {
    /// Time for which a statement waits for another process that holds the file.
    package static let busyTimeout: Duration = .seconds(5)
    private static let deferred = "BEGIN DEFERRED TRANSACTION"
    private static let immediate = "BEGIN IMMEDIATE TRANSACTION"

    let writer: any DatabaseWriter
    /// Nil for a database in memory, or a backup, which has one connection only.
    private let readers: SQLiteReaders?
    /// Nil for a database in memory, which has no log.
    private let checkpoints: SQLiteCheckpoints?
    /// Nil for a database in memory, which no other process can write.
    private let turn: WriteLock?

    /// Opens the file at `path` and makes it, readable for the owner only, when it is not there; the connections share
    /// `cache`.
    ///
    /// When the write-ahead log has `logPageCount` pages it is copied into the database (``SQLiteCheckpoints``): a page that
    /// changes often is copied once for 8 MiB of it.
    ///
    /// Throws ``ServerPersistenceError/file(errorNumber:)`` when the file cannot be protected and
    /// ``ServerPersistenceError/unsafeSetting(name:)`` when the database does not take the settings it needs.
    package init(
        path: String, cache: SQLiteCache = SQLiteCache(), logPageCount: Int = 2_048
    ) throws(ServerPersistenceError) {
        try DatabaseFile(path: path).makePrivate()
        let turn = try WriteLock(besides: path)
        self.turn = turn
        // The connection that writes, and the readers; the connection of the checkpoints keeps nothing.
        let cacheKiB = cache.kiB(forEachOf: 1 + SQLiteReaders.count)
        // One process after the other: the first one puts the file into write-ahead mode, which does not wait.
        let opened = try turn.take(within: Self.busyTimeout) { () throws(ServerPersistenceError) in
            let pool = try SQLiteFailure.mapped { try DatabasePool(path: path, configuration: Self.configuration()) }
            let readers = try SQLiteReaders(path: path, configuration: Self.configuration(), cacheKiB: cacheKiB)
            return (pool: pool, readers: readers)
        }
        writer = opened.pool
        readers = opened.readers
        checkpoints = try SQLiteCheckpoints(
            path: path, writer: opened.pool, configuration: Self.configuration(), pageCount: logPageCount)
        try SQLiteFailure.mapped { try writer.writeWithoutTransaction { try Self.makeDurable($0, cacheKiB: cacheKiB) } }
        try requireSettings(["journal_mode": "wal", "synchronous": "2", "foreign_keys": "1"])
    }

    /// Opens a backup with a single connection and without a write-ahead log, so that it stays one file.
    package init(backup path: String, isReadOnly: Bool) throws(ServerPersistenceError) {
        var configuration = Self.configuration()
        configuration.readonly = isReadOnly
        writer = try SQLiteFailure.mapped { [configuration] in
            try DatabaseQueue(path: path, configuration: configuration)
        }
        readers = nil
        checkpoints = nil
        turn = nil
        try requireSettings(["foreign_keys": "1"])
    }

    /// Opens a database in memory, which ends with this object.
    package init() throws(ServerPersistenceError) {
        writer = try SQLiteFailure.mapped { try DatabaseQueue(configuration: Self.configuration()) }
        readers = nil
        checkpoints = nil
        turn = nil
        try requireSettings(["foreign_keys": "1"])
    }

    package func read<Value: Sendable>(_ body: @escaping SQLBody<Value>) async throws(ServerPersistenceError) -> Value {
        guard let readers else { return try await run(body, by: Self.deferred, on: writer) }
        return try readers.read { database throws(ServerPersistenceError) in
            try Self.run(body, by: Self.deferred, on: database)
        }
    }

    package func transaction<Value: Sendable>(
        _ body: @escaping SQLBody<Value>
    ) async throws(ServerPersistenceError) -> Value {
        try await run(body, by: Self.immediate, on: writer, turn)
    }

    package func emptyLog() async throws(ServerPersistenceError) -> Bool {
        guard let turn else { return true }
        let writer = self.writer
        return try await withCheckedContinuation { continuation in
            writer.asyncWriteWithoutTransaction { database in
                let connection = database.sqliteConnection
                continuation.resume(
                    returning: Result { () throws(ServerPersistenceError) in
                        try turn.take(within: Self.busyTimeout) { () throws(ServerPersistenceError) in
                            sqlite3_wal_checkpoint_v2(connection, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
                                == SQLITE_OK
                        }
                    })
            }
        }.get()
    }

    /// Closes the file; everything committed is in it.
    package func close() throws(ServerPersistenceError) {
        try SQLiteFailure.mapped {
            try readers?.close()
            try checkpoints?.close()
            try writer.close()
        }
    }

    private func run<Value: Sendable>(
        _ body: @escaping SQLBody<Value>, by begin: String, on connection: any DatabaseWriter,
        _ turn: WriteLock? = nil
    ) async throws(ServerPersistenceError) -> Value {
        // Not the async function of GRDB: that one ends with the caller's task, but others may share the transaction.
        let result: Result<Value, ServerPersistenceError> = await withCheckedContinuation { continuation in
            connection.asyncWriteWithoutTransaction { database in
                continuation.resume(
                    returning: Result { () throws(ServerPersistenceError) in
                        guard let turn else { return try Self.run(body, by: begin, on: database) }
                        return try turn.take(within: Self.busyTimeout) { () throws(ServerPersistenceError) in
                            try Self.run(body, by: begin, on: database)
                        }
                    })
            }
        }
        return try result.get()
    }

    /// Runs a transaction whose statements are prepared once for each connection, which GRDB does not do by itself.
    private static func run<Value>(
        _ body: SQLBody<Value>, by begin: String, on database: Database
    ) throws(ServerPersistenceError) -> Value {
        try SQLiteStatement(begin, on: database).run()
        do throws(ServerPersistenceError) {
            let value = try body(SQLiteStatement.Connection(database))
            try SQLiteStatement("COMMIT TRANSACTION", on: database).run()
            return value
        } catch {
            try? database.rollback()
            throw error
        }
    }

    static func configuration() -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(TimeInterval(busyTimeout.components.seconds))
        configuration.foreignKeysEnabled = true
        configuration.label = "signet"
        return configuration
    }

    private static func makeDurable(_ database: Database, cacheKiB: Int) throws {
        try database.execute(sql: "PRAGMA synchronous = FULL")
        try database.execute(sql: "PRAGMA secure_delete = ON")
        // In KiB when negative.
        try database.execute(sql: "PRAGMA cache_size = -\(cacheKiB)")
    }

    /// Reads settings of the writing connection back and refuses to go on with others than asked for.
    private func requireSettings(_ expected: [String: String]) throws(ServerPersistenceError) {
        let writer = self.writer
        for (name, value) in expected {
            let found = try SQLiteFailure.mapped {
                try writer.writeWithoutTransaction { try String.fetchOne($0, sql: "PRAGMA \(name)") }
            }
            guard found == value else { throw .unsafeSetting(name: name) }
        }
    }
}

/// A prepared statement from the cache of a connection, run by calls of SQLite itself.
///
/// GRDB keeps connections and statements. Its arguments, rows and cursors are left out: around statements as short as
/// ours they take as long as SQLite does.
struct SQLiteStatement {
    private let statement: Statement
    private let connection: SQLiteHandle?

    private typealias SQLiteHandle = GRDB.SQLiteConnection

    init(_ sql: String, on database: Database) throws(ServerPersistenceError) {
        statement = try SQLiteFailure.mapped { try database.cachedStatement(sql: sql) }
        connection = database.sqliteConnection
    }

    /// Runs the statement to its end and hands over each row; returns how many rows it changed.
    ///
    /// There must be an argument for each parameter, and no more.
    @discardableResult
    func run(
        _ arguments: [SQLValue] = [], each row: (SQLRow) -> Void = { _ in }
    ) throws(ServerPersistenceError) -> Int {
        let handle = statement.sqliteStatement
        defer {
            sqlite3_reset(handle)
            // The statement stays in the cache; what it was run with does not.
            sqlite3_clear_bindings(handle)
        }
        guard arguments.count == sqlite3_bind_parameter_count(handle) else {
            throw SQLiteFailure.failure(code: SQLITE_RANGE)
        }
        for (index, argument) in arguments.enumerated() {
            try require(argument.bind(at: Int32(index + 1), of: handle))
        }
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW: row(try Self.row(of: handle))
            case SQLITE_DONE: return Int(sqlite3_changes(connection))
            default: throw SQLiteFailure.failure(code: sqlite3_extended_errcode(connection))
            }
        }
    }

    private func require(_ code: Int32) throws(ServerPersistenceError) {
        guard code == SQLITE_OK else { throw SQLiteFailure.failure(code: code) }
    }

    private static func row(of handle: OpaquePointer) throws(ServerPersistenceError) -> SQLRow {
        let count = sqlite3_data_count(handle)
        var values: [SQLValue] = []
        values.reserveCapacity(Int(count))
        for column in 0..<count { values.append(try SQLValue(column, of: handle)) }
        return SQLRow(values)
    }
}

extension SQLiteStatement {
    /// The shared dialect on one connection of GRDB, for the length of one closure.
    struct Connection: SQLConnection {
        private let database: Database

        init(_ database: Database) {
            self.database = database
        }

        var dialect: SQLDialect { .sqlite }

        /// A transaction that writes is alone.
        func lock(_ lock: SQLLock) throws(ServerPersistenceError) {}

        func execute(_ sql: String, _ arguments: [SQLValue]) throws(ServerPersistenceError) -> Int {
            try SQLiteStatement(sql, on: database).run(arguments)
        }

        /// Looks the statement up once for all lists.
        func execute(_ sql: String, each lists: [[SQLValue]]) throws(ServerPersistenceError) -> [Int] {
            guard !lists.isEmpty else { return [] }
            let statement = try SQLiteStatement(sql, on: database)
            return try lists.map { list throws(ServerPersistenceError) in try statement.run(list) }
        }

        func enqueue(_ sql: String, each lists: [[SQLValue]]) throws(ServerPersistenceError) {
            _ = try execute(sql, each: lists)
        }

        func rows(_ sql: String, _ arguments: [SQLValue]) throws(ServerPersistenceError) -> [SQLRow] {
            var rows: [SQLRow] = []
            try SQLiteStatement(sql, on: database).run(arguments) { rows.append($0) }
            return rows
        }
    }
}
