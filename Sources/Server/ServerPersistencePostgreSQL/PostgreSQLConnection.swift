import ServerPersistence

/// Transaction on a connection, for the length of one closure.
struct PostgreSQLConnection: SQLConnection {
    let session: PostgreSQLSession

    var dialect: SQLDialect { .postgreSQL }

    func execute(_ sql: String, _ arguments: [SQLValue]) throws(ServerPersistenceError) -> Int {
        try session.run(sql, arguments).count
    }

    func rows(_ sql: String, _ arguments: [SQLValue]) throws(ServerPersistenceError) -> [SQLRow] {
        try session.run(sql, arguments).rows
    }

    func enqueue(_ sql: String, _ arguments: [SQLValue]) throws(ServerPersistenceError) {
        try session.enqueue(sql, arguments)
    }

    func results(of queries: [SQLQuery]) throws(ServerPersistenceError) -> [[SQLRow]] {
        for query in queries { try session.enqueue(query.sql, query.arguments) }
        return try session.flush().suffix(queries.count).map(\.rows)
    }

    func lock(_ lock: SQLLock) throws(ServerPersistenceError) {
        let function = lock.isShared ? "pg_advisory_xact_lock_shared" : "pg_advisory_xact_lock"
        try session.enqueue("SELECT \(function)(hashtextextended($1, 0))", [Self.key(of: lock)])
    }

    /// The text that is hashed for a lock.
    static func key(of lock: SQLLock) -> SQLValue { .text("signet " + lock.name) }

    func setLockWait(_ wait: SQLLockWait) throws(ServerPersistenceError) {
        let value =
            switch wait {
            case .usual: "DEFAULT"
            case .short: "20"
            case .least: "1"
            }
        try session.enqueue("SET LOCAL lock_timeout TO \(value)", [])
    }
}
