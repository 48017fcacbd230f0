import ServerPersistence

/// Connection of a ``FaultyDatabase``, which counts statements.
struct FaultyConnection: SQLConnection {
    let inner: any SQLConnection
    let owner: FaultyDatabase

    func execute(_ sql: String, _ arguments: [SQLValue]) throws(ServerPersistenceError) -> Int {
        try owner.countStatement()
        return try inner.execute(sql, arguments)
    }

    func rows(_ sql: String, _ arguments: [SQLValue]) throws(ServerPersistenceError) -> [SQLRow] {
        try owner.countStatement()
        return try inner.rows(sql, arguments)
    }
}
