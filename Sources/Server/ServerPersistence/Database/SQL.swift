/// Statements that run together: on any thread, and without keeping the connection.
package typealias SQLBody<Value> = @Sendable (any SQLConnection) throws(ServerPersistenceError) -> Value

/// A database that keeps what was committed, also when the power fails.
package protocol SQLDatabase: Sendable {
    /// Runs `body` on one consistent state of the database; it must not write.
    func read<Value: Sendable>(_ body: @escaping SQLBody<Value>) async throws(ServerPersistenceError) -> Value

    /// Runs queries on one consistent state, of which none needs the result of another one.
    func results(of queries: [SQLQuery]) async throws(ServerPersistenceError) -> [[SQLRow]]

    /// Runs `body` in one transaction that begins as a writing one.
    ///
    /// Returns once COMMIT is durable. A throw from `body`, or a COMMIT that fails, leaves nothing behind.
    /// Cancelling the caller's task does not stop what has begun: others may share the transaction.
    func transaction<Value: Sendable>(_ body: @escaping SQLBody<Value>) async throws(ServerPersistenceError) -> Value

    /// Runs `body` in one transaction without a limit of time, alone among all migrations of this database.
    ///
    /// Throws ``ServerPersistenceError/unavailable(code:)`` on SQLite, and ``DatabaseServerFailure/Reason/lockTimeout`` on a
    /// server, when another one has not ended within five seconds.
    func migration<Value: Sendable>(_ body: @escaping SQLBody<Value>) async throws(ServerPersistenceError) -> Value

    /// Runs `body` for as long as it takes, beside what is served, in one process at a time; nil while another one does.
    ///
    /// On a database server each statement stands alone, outside a transaction. A file has one writer, and this is one
    /// transaction.
    func backgroundWork<Value: Sendable>(_ body: @escaping SQLBody<Value>) async throws(ServerPersistenceError)
        -> Value?

    /// Empties the log beside the database, in which pages stay as they were before a row was deleted; false when a reader was
    /// in the way. A database without such a log has nothing to do.
    func emptyLog() async throws(ServerPersistenceError) -> Bool

    /// Writer of many sign-ins at a time, in a separate transaction; nil where they are written in the shared one.
    var signIns: (any SignInWriter)? { get }

    /// Whether a read takes the way to a server, which several can share.
    var isBehindNetwork: Bool { get }
}

extension SQLDatabase {
    package func results(of queries: [SQLQuery]) async throws(ServerPersistenceError) -> [[SQLRow]] {
        try await read { connection throws(ServerPersistenceError) in try connection.results(of: queries) }
    }

    package func migration<Value: Sendable>(
        _ body: @escaping SQLBody<Value>
    ) async throws(ServerPersistenceError) -> Value {
        try await transaction(body)
    }

    package func backgroundWork<Value: Sendable>(
        _ body: @escaping SQLBody<Value>
    ) async throws(ServerPersistenceError) -> Value? {
        try await transaction(body)
    }

    package func emptyLog() async throws(ServerPersistenceError) -> Bool { true }

    package var signIns: (any SignInWriter)? { nil }

    package var isBehindNetwork: Bool { false }
}

/// A connection to a database for the length of one closure.
///
/// Statements are written in the dialect that SQLite and PostgreSQL share: parameters are `$1`, `$2`, ... and appear
/// for the first time in that order; bytes are `BYTEA`, numbers `BIGINT`. Where they differ, ``SQLDialect`` has the
/// words of each.
package protocol SQLConnection {
    var dialect: SQLDialect { get }

    /// Runs a statement that returns no rows; the result is the number of rows it changed.
    @discardableResult
    func execute(_ sql: String, _ arguments: [SQLValue]) throws(ServerPersistenceError) -> Int

    func rows(_ sql: String, _ arguments: [SQLValue]) throws(ServerPersistenceError) -> [SQLRow]

    /// Runs a statement of which nothing is asked; a database behind a network gets it together with the next one that
    /// has a result, or with the commit.
    ///
    /// Its error is then thrown by that one.
    func enqueue(_ sql: String, _ arguments: [SQLValue]) throws(ServerPersistenceError)

    /// Runs a statement once for each list of arguments, in their order; the results are the numbers of rows that each has
    /// changed.
    func execute(_ sql: String, each lists: [[SQLValue]]) throws(ServerPersistenceError) -> [Int]

    /// Runs a statement once for each list of arguments, in their order, as ``enqueue(_:_:)`` does.
    func enqueue(_ sql: String, each lists: [[SQLValue]]) throws(ServerPersistenceError)

    /// Runs queries of which none needs the result of another one; a database behind a network gets all at once.
    func results(of queries: [SQLQuery]) throws(ServerPersistenceError) -> [[SQLRow]]

    /// Holds a lock until the transaction ends, where transactions run beside each other; elsewhere it does nothing.
    func lock(_ lock: SQLLock) throws(ServerPersistenceError)

    /// Sets the time for which the transaction waits for locks of others from now on, where transactions run beside each
    /// other; elsewhere it does nothing.
    func setLockWait(_ wait: SQLLockWait) throws(ServerPersistenceError)

    /// Records that are appended to audit chains at the end of the transaction; nil where each is appended at once.
    var pendingAudit: PendingAudit? { get }
}

extension SQLConnection {
    package func enqueue(_ sql: String, _ arguments: [SQLValue]) throws(ServerPersistenceError) {
        try execute(sql, arguments)
    }

    package func execute(_ sql: String, each lists: [[SQLValue]]) throws(ServerPersistenceError) -> [Int] {
        try lists.map { list throws(ServerPersistenceError) in try execute(sql, list) }
    }

    package func enqueue(_ sql: String, each lists: [[SQLValue]]) throws(ServerPersistenceError) {
        for list in lists { try enqueue(sql, list) }
    }

    package func results(of queries: [SQLQuery]) throws(ServerPersistenceError) -> [[SQLRow]] {
        try queries.map { query throws(ServerPersistenceError) in try rows(query.sql, query.arguments) }
    }

    package func setLockWait(_ wait: SQLLockWait) throws(ServerPersistenceError) {}

    package var pendingAudit: PendingAudit? { nil }

    package func row(_ sql: String, _ arguments: [SQLValue]) throws(ServerPersistenceError) -> SQLRow? {
        try rows(sql, arguments).first
    }
}

/// Query with its arguments.
package struct SQLQuery: Sendable {
    package let sql: String
    package let arguments: [SQLValue]

    package init(_ sql: String, _ arguments: [SQLValue]) {
        self.sql = sql
        self.arguments = arguments
    }
}

/// One row of a result; columns are numbered from 0 in the order of the query.
package struct SQLRow: Sendable, Hashable {
    package let values: [SQLValue]

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

    package static func integer(optional value: Int64?) -> SQLValue { value.map(SQLValue.integer) ?? .null }

    package static func blob(optional value: [UInt8]?) -> SQLValue { value.map(SQLValue.blob) ?? .null }

    package static func text(optional value: String?) -> SQLValue { value.map(SQLValue.text) ?? .null }
}
