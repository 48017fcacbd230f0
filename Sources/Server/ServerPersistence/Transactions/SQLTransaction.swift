import OpenID
import ServerCore

/// The transaction of a rule on one connection; it keeps rows, and compares and sets.
///
/// Users, credentials and targets, out-of-band ceremonies, and the ends of all stand in the other files of this folder.
struct SQLTransaction: OpenIDTransaction {
    let connection: any SQLConnection
    let chain: AuditChain
    /// Whether the transaction writes: then it holds the rows that it reads, so that nothing that a rule has judged changes
    /// before the commit.
    let isWriting: Bool

    /// Ending of a query for rows that a rule may change.
    var held: String { isWriting ? connection.dialect.rowLock() : "" }
    /// Ending of a query for rows that a rule judges only.
    var kept: String { isWriting ? connection.dialect.rowGuard() : "" }
    /// Ending of a query for targets, which may change, with their users, whose logins may end with them.
    var heldTargets: String {
        isWriting ? connection.dialect.rowLock(of: "users") + connection.dialect.rowLock(of: "dispatch_targets") : ""
    }

    /// Runs a body, and gives back the error of the statement that has ended it; a failure that is none of a statement's
    /// is the fault of the rule, and undoes what it has written as well.
    func run<Value>(
        _ body: (SQLTransaction) throws(ServerTransactionFailure) -> Value
    ) throws(ServerPersistenceError) -> Value {
        do throws(ServerTransactionFailure) {
            return try body(self)
        } catch {
            throw error.cause as? ServerPersistenceError ?? .statement(code: 0)
        }
    }

    // MARK: - Statements

    /// Runs a statement that returns no rows; the result is the number of rows it changed.
    @discardableResult
    func execute(_ sql: String, _ arguments: [SQLValue]) throws(ServerTransactionFailure) -> Int {
        try passed { () throws(ServerPersistenceError) in try connection.execute(sql, arguments) }
    }

    /// Runs a statement of which nothing is asked, see ``SQLConnection/enqueue(_:_:)``.
    func enqueue(_ sql: String, _ arguments: [SQLValue]) throws(ServerTransactionFailure) {
        try passed { () throws(ServerPersistenceError) in try connection.enqueue(sql, arguments) }
    }

    func rows<Value>(
        _ sql: String, _ arguments: [SQLValue], as read: (SQLRow) throws(ServerPersistenceError) -> Value
    ) throws(ServerTransactionFailure) -> [Value] {
        try passed { () throws(ServerPersistenceError) in
            try connection.rows(sql, arguments).map { row throws(ServerPersistenceError) in try read(row) }
        }
    }

    func row<Value>(
        _ sql: String, _ arguments: [SQLValue], as read: (SQLRow) throws(ServerPersistenceError) -> Value
    ) throws(ServerTransactionFailure) -> Value? {
        try passed { () throws(ServerPersistenceError) in
            try connection.row(sql, arguments).map { row throws(ServerPersistenceError) in try read(row) }
        }
    }

    func count(_ sql: String, _ arguments: [SQLValue], in table: String) throws(ServerTransactionFailure) -> Int {
        let count = try row(sql, arguments) { row throws(ServerPersistenceError) in
            var reader = RowReader(row, table: table)
            return try reader.integer("count") { Int(exactly: $0) }
        }
        return count ?? 0
    }

    func finds(_ sql: String, _ arguments: [SQLValue]) throws(ServerTransactionFailure) -> Bool {
        try passed { () throws(ServerPersistenceError) in try connection.row(sql, arguments) != nil }
    }

    /// Passes the error of a statement on through a rule.
    func passed<Value>(
        _ body: () throws(ServerPersistenceError) -> Value
    ) throws(ServerTransactionFailure) -> Value {
        do throws(ServerPersistenceError) {
            return try body()
        } catch {
            throw ServerTransactionFailure(error)
        }
    }

    // MARK: - Audit and undoing

    func append(_ event: AuditEvent) throws(ServerTransactionFailure) {
        try passed { () throws(ServerPersistenceError) in try chain.append(event, connection) }
    }

    func append(_ event: AuditEvent, with receipt: ReceiptEvidence) throws(ServerTransactionFailure) {
        try passed { () throws(ServerPersistenceError) in try chain.append(event, with: receipt, connection) }
    }

    func undoingRefused<Refusal>(
        _ body: () throws(ServerTransactionFailure) -> Refusal?
    ) throws(ServerTransactionFailure) -> Refusal? {
        let records = connection.pendingAudit?.count ?? 0
        try enqueue("SAVEPOINT effect", [])
        let refusal = try body()
        if refusal != nil {
            try enqueue("ROLLBACK TO SAVEPOINT effect", [])
            connection.pendingAudit?.forget(after: records)
        }
        try enqueue("RELEASE SAVEPOINT effect", [])
        return refusal
    }
}
