package import ServerPersistence
import Synchronization
import Testing

/// Real database that asks for the plan of each statement before its first run, and reports statements that read more
/// than they need: see ``QueryPlan``.
package final class PlannedDatabase: SQLDatabase {
    /// Most rows that one query may return, whatever the number of users.
    package static let rowLimit = 500

    private let inner: any SQLDatabase
    private let report: @Sendable (String) -> Void
    private let plans = Mutex<[String: QueryPlan]>([:])

    /// Wraps a database; without `report` a finding is an issue of the test.
    package init(
        _ inner: any SQLDatabase, report: @escaping @Sendable (String) -> Void = { Issue.record("\($0)") }
    ) {
        self.inner = inner
        self.report = report
    }

    /// Statements that were planned so far.
    package var statements: [String] { plans.withLock { Array($0.keys) } }

    package func read<Value: Sendable>(_ body: @escaping SQLBody<Value>) async throws(ServerPersistenceError) -> Value {
        try await inner.read(planned(body))
    }

    package func transaction<Value: Sendable>(_ body: @escaping SQLBody<Value>) async throws(ServerPersistenceError)
        -> Value
    {
        try await inner.transaction(planned(body))
    }

    package func migration<Value: Sendable>(_ body: @escaping SQLBody<Value>) async throws(ServerPersistenceError)
        -> Value
    {
        try await inner.migration(body)
    }

    /// Writer of the database itself; its statement names the rows that it changes by their keys, and is not planned.
    package var signIns: (any SignInWriter)? { inner.signIns }

    private func planned<Value: Sendable>(_ body: @escaping SQLBody<Value>) -> SQLBody<Value> {
        { [self] connection throws(ServerPersistenceError) in
            try body(PlannedConnection(inner: connection, owner: self))
        }
    }

    /// Plans a statement that was not planned before.
    fileprivate func plan(
        _ sql: String, _ arguments: [SQLValue], _ connection: any SQLConnection
    ) throws(ServerPersistenceError) {
        guard plans.withLock({ $0[sql] == nil }) else { return }
        guard let plan = try QueryPlan(of: sql, arguments, connection) else { return }
        plans.withLock { $0[sql] = plan }
        for problem in plan.problems { report("\(problem): \(sql)") }
    }

    /// Reports a query that returned more than ``rowLimit`` rows.
    fileprivate func count(_ rows: [SQLRow], of sql: String) {
        if rows.count > Self.rowLimit { report("\(rows.count) rows: \(sql)") }
    }
}

/// Connection of a ``PlannedDatabase``.
private struct PlannedConnection: SQLConnection {
    let inner: any SQLConnection
    let owner: PlannedDatabase

    var dialect: SQLDialect { inner.dialect }

    func execute(_ sql: String, _ arguments: [SQLValue]) throws(ServerPersistenceError) -> Int {
        try owner.plan(sql, arguments, inner)
        return try inner.execute(sql, arguments)
    }

    func rows(_ sql: String, _ arguments: [SQLValue]) throws(ServerPersistenceError) -> [SQLRow] {
        try owner.plan(sql, arguments, inner)
        let rows = try inner.rows(sql, arguments)
        owner.count(rows, of: sql)
        return rows
    }

    func enqueue(_ sql: String, _ arguments: [SQLValue]) throws(ServerPersistenceError) {
        try owner.plan(sql, arguments, inner)
        try inner.enqueue(sql, arguments)
    }

    func results(of queries: [SQLQuery]) throws(ServerPersistenceError) -> [[SQLRow]] {
        for query in queries { try owner.plan(query.sql, query.arguments, inner) }
        return try inner.results(of: queries)
    }

    func lock(_ lock: SQLLock) throws(ServerPersistenceError) {
        try inner.lock(lock)
    }

    func setLockWait(_ wait: SQLLockWait) throws(ServerPersistenceError) {
        try inner.setLockWait(wait)
    }
}
