import ServerPersistence
import Synchronization

/// A real database whose COMMIT, reads or single statements fail on request.
final class FaultyDatabase: SQLDatabase {
    struct Faults: Sendable {
        var failsReads = false
        var failsCommits = false
        /// Statements after which every further one fails; nil: none.
        var statementsLeft: Int?
    }

    static let fault = ServerPersistenceError.unavailable(code: 10)

    private let inner: any SQLDatabase
    private let faults = Mutex(Faults())
    private let transactions = Mutex(0)

    init(_ inner: any SQLDatabase) {
        self.inner = inner
    }

    var transactionCount: Int { transactions.withLock { $0 } }

    func set(_ change: (inout Faults) -> Void) {
        faults.withLock { change(&$0) }
    }

    func read<Value: Sendable>(_ body: @escaping SQLBody<Value>) async throws(ServerPersistenceError) -> Value {
        if faults.withLock({ $0.failsReads }) { throw Self.fault }
        return try await inner.read(body)
    }

    func transaction<Value: Sendable>(_ body: @escaping SQLBody<Value>) async throws(ServerPersistenceError) -> Value {
        transactions.withLock { $0 += 1 }
        return try await inner.transaction { [self] connection throws(ServerPersistenceError) in
            let value = try body(FaultyConnection(inner: connection, owner: self))
            // Everything has been done and is undone by the database, as when COMMIT meets a full disk.
            if faults.withLock({ $0.failsCommits }) { throw Self.fault }
            return value
        }
    }

    fileprivate func countStatement() throws(ServerPersistenceError) {
        let fails = faults.withLock { faults in
            guard let left = faults.statementsLeft else { return false }
            faults.statementsLeft = max(0, left - 1)
            return left == 0
        }
        if fails { throw Self.fault }
    }
}

private struct FaultyConnection: SQLConnection {
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
