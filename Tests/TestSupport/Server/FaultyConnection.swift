import ServerPersistence

/// Connection of a ``FaultyDatabase``, which counts statements.
struct FaultyConnection: SQLConnection {
    let inner: any SQLConnection
    let owner: FaultyDatabase

    var dialect: SQLDialect { inner.dialect }

    func execute(_ sql: String, _ arguments: [SQLValue]) throws(ServerPersistenceError) -> Int {
        try owner.countStatement(sql, arguments)
        if owner.postpones(sql, arguments) { return 1 }
        return try inner.execute(owner.flawed(sql), arguments)
    }

    func rows(_ sql: String, _ arguments: [SQLValue]) throws(ServerPersistenceError) -> [SQLRow] {
        try owner.countStatement(sql, arguments)
        return try inner.rows(sql, arguments)
    }

    func enqueue(_ sql: String, _ arguments: [SQLValue]) throws(ServerPersistenceError) {
        try owner.countStatement(sql, arguments)
        if owner.postpones(sql, arguments) { return }
        try inner.enqueue(owner.flawed(sql), arguments)
    }

    func results(of queries: [SQLQuery]) throws(ServerPersistenceError) -> [[SQLRow]] {
        for query in queries { try owner.countStatement(query.sql, query.arguments) }
        return try inner.results(of: queries)
    }

    func lock(_ lock: SQLLock) throws(ServerPersistenceError) {
        try inner.lock(lock)
    }

    func setLockWait(_ wait: SQLLockWait) throws(ServerPersistenceError) {
        try inner.setLockWait(wait)
    }
}
