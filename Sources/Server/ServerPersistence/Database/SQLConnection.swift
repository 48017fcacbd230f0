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
