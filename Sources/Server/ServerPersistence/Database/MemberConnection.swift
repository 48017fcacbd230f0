/// Connection of the members of a shared transaction, whose records of the audit are appended at its end.
struct MemberConnection: SQLConnection {
    let inner: any SQLConnection
    let pending: PendingAudit

    var dialect: SQLDialect { inner.dialect }
    var pendingAudit: PendingAudit? { pending }

    @discardableResult
    func execute(_ sql: String, _ arguments: [SQLValue]) throws(ServerPersistenceError) -> Int {
        try inner.execute(sql, arguments)
    }

    func rows(_ sql: String, _ arguments: [SQLValue]) throws(ServerPersistenceError) -> [SQLRow] {
        try inner.rows(sql, arguments)
    }

    func enqueue(_ sql: String, _ arguments: [SQLValue]) throws(ServerPersistenceError) {
        try inner.enqueue(sql, arguments)
    }

    func results(of queries: [SQLQuery]) throws(ServerPersistenceError) -> [[SQLRow]] {
        try inner.results(of: queries)
    }

    func lock(_ lock: SQLLock) throws(ServerPersistenceError) {
        try inner.lock(lock)
    }

    func setLockWait(_ wait: SQLLockWait) throws(ServerPersistenceError) {
        try inner.setLockWait(wait)
    }
}
