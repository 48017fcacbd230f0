/// Statements that run together: on any thread, and without keeping the connection.
package typealias SQLBody<Value> = @Sendable (any SQLConnection) throws(ServerPersistenceError) -> Value

/// A database that keeps what was committed, also when the power fails.
package protocol SQLDatabase: Sendable {
    /// Runs `body` on one consistent state of the database; it must not write.
    func read<Value: Sendable>(_ body: @escaping SQLBody<Value>) async throws(ServerPersistenceError) -> Value

    /// Runs `body` in one transaction that begins as a writing one.
    ///
    /// Returns once COMMIT is durable. A throw from `body`, or a COMMIT that fails, leaves nothing behind.
    /// Cancelling the caller's task does not stop what has begun: others may share the transaction.
    func transaction<Value: Sendable>(_ body: @escaping SQLBody<Value>) async throws(ServerPersistenceError) -> Value
}

/// A connection to a database for the length of one closure.
///
/// Statements are written in the dialect that SQLite and PostgreSQL share: parameters are `$1`, `$2`, ... and appear
/// for the first time in that order; bytes are `BYTEA`, numbers `BIGINT`.
package protocol SQLConnection {
    /// Runs a statement that returns no rows; the result is the number of rows it changed.
    @discardableResult
    func execute(_ sql: String, _ arguments: [SQLValue]) throws(ServerPersistenceError) -> Int

    /// Runs a query and returns all its rows.
    func rows(_ sql: String, _ arguments: [SQLValue]) throws(ServerPersistenceError) -> [SQLRow]
}

extension SQLConnection {
    /// The only row that a query returns, or nil when it returns none.
    package func row(_ sql: String, _ arguments: [SQLValue]) throws(ServerPersistenceError) -> SQLRow? {
        try rows(sql, arguments).first
    }
}

/// One row of a result; columns are numbered from 0 in the order of the query.
package struct SQLRow: Sendable, Hashable {
    /// The values of the columns.
    package let values: [SQLValue]

    /// A row of values.
    package init(_ values: [SQLValue]) {
        self.values = values
    }
}

/// A value that goes into a statement or comes out of a row.
package enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    /// A number, or null for nil.
    package static func integer(optional value: Int64?) -> SQLValue { value.map(SQLValue.integer) ?? .null }

    /// Bytes, or null for nil.
    package static func blob(optional value: [UInt8]?) -> SQLValue { value.map(SQLValue.blob) ?? .null }

    /// Text, or null for nil.
    package static func text(optional value: String?) -> SQLValue { value.map(SQLValue.text) ?? .null }
}
