import GRDB
import GRDBSQLite
import ServerPersistence

/// A prepared statement from the cache of a connection, run by calls of SQLite itself.
///
/// GRDB keeps connections and statements. Its arguments, rows and cursors are left out: around statements as short as
/// ours they take as long as SQLite does.
struct SQLiteStatement {
    private let statement: Statement
    private let connection: SQLiteHandle?

    /// An open connection of the C interface.
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
            try require(bind(argument, at: Int32(index + 1), of: handle))
        }
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW: row(try Self.row(of: handle))
            case SQLITE_DONE: return Int(sqlite3_changes(connection))
            default: throw SQLiteFailure.failure(code: sqlite3_extended_errcode(connection))
            }
        }
    }

    // MARK: - Values

    private func require(_ code: Int32) throws(ServerPersistenceError) {
        guard code == SQLITE_OK else { throw SQLiteFailure.failure(code: code) }
    }

    private func bind(_ value: SQLValue, at index: Int32, of handle: OpaquePointer) -> Int32 {
        // SQLite copies the bytes before the call returns, and takes an absent address for NULL.
        let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch value {
        case .null: return sqlite3_bind_null(handle, index)
        case .integer(let number): return sqlite3_bind_int64(handle, index, number)
        case .text(""): return sqlite3_bind_text(handle, index, "", 0, copied)
        case .text(var text):
            return text.withUTF8 { octets in
                octets.withMemoryRebound(to: CChar.self) {
                    sqlite3_bind_text(handle, index, $0.baseAddress, Int32($0.count), copied)
                }
            }
        case .blob([]): return sqlite3_bind_zeroblob(handle, index, 0)
        case .blob(let bytes):
            return bytes.withUnsafeBytes { sqlite3_bind_blob(handle, index, $0.baseAddress, Int32($0.count), copied) }
        }
    }

    private static func row(of handle: OpaquePointer) throws(ServerPersistenceError) -> SQLRow {
        let count = sqlite3_data_count(handle)
        var values: [SQLValue] = []
        values.reserveCapacity(Int(count))
        for column in 0..<count { values.append(try value(of: handle, column)) }
        return SQLRow(values)
    }

    private static func value(of handle: OpaquePointer, _ column: Int32) throws(ServerPersistenceError) -> SQLValue {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_NULL: return .null
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column))
        case SQLITE_TEXT:
            let start = sqlite3_column_text(handle, column)
            let count = Int(sqlite3_column_bytes(handle, column))
            return .text(String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
        case SQLITE_BLOB:
            let start = sqlite3_column_blob(handle, column)
            let count = Int(sqlite3_column_bytes(handle, column))
            return .blob([UInt8](UnsafeRawBufferPointer(start: start, count: count)))
        // The schema has no column of another kind.
        default: throw .statement(code: 0)
        }
    }
}

extension SQLiteStatement {
    /// The shared dialect on one connection of GRDB, for the length of one closure.
    struct Connection: SQLConnection {
        private let database: Database

        init(_ database: Database) {
            self.database = database
        }

        func execute(_ sql: String, _ arguments: [SQLValue]) throws(ServerPersistenceError) -> Int {
            try SQLiteStatement(sql, on: database).run(arguments)
        }

        func rows(_ sql: String, _ arguments: [SQLValue]) throws(ServerPersistenceError) -> [SQLRow] {
            var rows: [SQLRow] = []
            try SQLiteStatement(sql, on: database).run(arguments) { rows.append($0) }
            return rows
        }
    }
}
