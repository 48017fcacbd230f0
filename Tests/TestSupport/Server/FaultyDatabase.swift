import ServerCore
package import ServerPersistence
import Synchronization

/// Real database whose COMMIT, reads or single statements fail on request.
package final class FaultyDatabase: SQLDatabase {
    /// Faults that are injected.
    package struct Faults: Sendable {
        /// Whether every read fails.
        package var failsReads = false
        /// Whether every COMMIT fails.
        package var failsCommits = false
        /// Number of statements that still succeed; nil for no limit.
        package var statementsLeft: Int?
        /// Called once, before the next transaction begins and after everything that was read for it.
        ///
        /// It may write to the same database through another server only.
        package var beforeTransaction: (@Sendable () async -> Void)?
        /// Time that each transaction takes longer.
        package var slowness: Duration = .zero
        /// Whether the database is taken as one behind a network, whatever it is.
        package var isBehindNetwork = false
        /// Called with each statement of a transaction and its arguments, before it runs.
        package var witness: (@Sendable (String, [SQLValue]) -> Void)?
        /// Change of the text of every statement without rows, for planted bugs.
        package var flaw: (@Sendable (String) -> String)?
        /// Whether a statement is said to have changed a row and runs only two transactions later, a planted bug.
        package var postponement: (@Sendable (String) -> Bool)?
        /// Whether counters of sign-ins that are written together are compared in a read before, and no more when they are
        /// written, a planted bug.
        package var comparesCountersBefore = false
    }

    /// Statement that runs later.
    private struct Postponed {
        let sql: String
        let arguments: [SQLValue]
        /// Number of the transaction before which it runs.
        let transaction: Int
    }

    /// Error of everything that fails on request.
    package static let fault = ServerPersistenceError.unavailable(code: 10)

    private let inner: any SQLDatabase
    private let faults = Mutex(Faults())
    private let transactions = Mutex(0)
    private let reads = Mutex(0)
    private let flaws = Mutex(0)
    private let postponed = Mutex<[Postponed]>([])

    /// Wraps a database; nothing fails yet.
    package init(_ inner: any SQLDatabase) {
        self.inner = inner
    }

    package func backgroundWork<Value: Sendable>(
        _ body: @escaping SQLBody<Value>
    ) async throws(ServerPersistenceError) -> Value? {
        try await inner.backgroundWork { connection throws(ServerPersistenceError) in
            try body(FaultyConnection(inner: connection, owner: self))
        }
    }

    package func emptyLog() async throws(ServerPersistenceError) -> Bool { try await inner.emptyLog() }

    /// Number of transactions begun so far.
    package var transactionCount: Int { transactions.withLock { $0 } }
    /// Number of reads begun so far; one reads with as many statements as it likes.
    package var readCount: Int { reads.withLock { $0 } }

    /// Number of statements that were changed or postponed so far.
    package var flawedCount: Int { flaws.withLock { $0 } }

    /// Forgets the statements that were postponed, as when the process is killed before they run.
    package func forgetPostponed() {
        postponed.withLock { $0 = [] }
    }

    /// Changes the faults.
    package func set(_ change: (inout Faults) -> Void) {
        faults.withLock { change(&$0) }
    }

    package func read<Value: Sendable>(_ body: @escaping SQLBody<Value>) async throws(ServerPersistenceError) -> Value {
        if faults.withLock({ $0.failsReads }) { throw Self.fault }
        reads.withLock { $0 += 1 }
        return try await inner.read(body)
    }

    package func results(of queries: [SQLQuery]) async throws(ServerPersistenceError) -> [[SQLRow]] {
        if faults.withLock({ $0.failsReads }) { throw Self.fault }
        reads.withLock { $0 += 1 }
        return try await inner.results(of: queries)
    }

    package func transaction<Value: Sendable>(_ body: @escaping SQLBody<Value>) async throws(ServerPersistenceError)
        -> Value
    {
        await begin()
        return try await inner.transaction(faulty(body))
    }

    package func migration<Value: Sendable>(_ body: @escaping SQLBody<Value>) async throws(ServerPersistenceError)
        -> Value
    {
        await begin()
        return try await inner.migration(faulty(body))
    }

    package var isBehindNetwork: Bool { faults.withLock { $0.isBehindNetwork } || inner.isBehindNetwork }

    package var signIns: (any SignInWriter)? { inner.signIns.map { FaultySignIns(inner: $0, owner: self) } }

    /// Counts a transaction that begins, after what is to happen before it.
    func begin() async {
        let interruption = faults.withLock { faults in
            defer { faults.beforeTransaction = nil }
            return faults.beforeTransaction
        }
        await interruption?()
        let slowness = faults.withLock { $0.slowness }
        if slowness > .zero { try? await Task.sleep(for: slowness) }
        transactions.withLock { $0 += 1 }
    }

    private func faulty<Value: Sendable>(_ body: @escaping SQLBody<Value>) -> SQLBody<Value> {
        { [self] connection throws(ServerPersistenceError) in
            for statement in takePostponed() { try connection.execute(statement.sql, statement.arguments) }
            let value = try body(FaultyConnection(inner: connection, owner: self))
            try requireCommit()
            return value
        }
    }

    /// Fails on request after all statements have run; the database rolls them back, as for a COMMIT on a full disk.
    func requireCommit() throws(ServerPersistenceError) {
        if faults.withLock({ $0.failsCommits }) { throw Self.fault }
    }

    func countStatement(_ sql: String, _ arguments: [SQLValue]) throws(ServerPersistenceError) {
        faults.withLock { $0.witness }?(sql, arguments)
        let fails = faults.withLock { faults in
            guard let left = faults.statementsLeft else { return false }
            faults.statementsLeft = max(0, left - 1)
            return left == 0
        }
        if fails { throw Self.fault }
    }

    // MARK: - Planted bugs

    /// The text that runs instead of `sql`.
    func flawed(_ sql: String) -> String {
        guard let flaw = faults.withLock({ $0.flaw }) else { return sql }
        let text = flaw(sql)
        if text != sql { flaws.withLock { $0 += 1 } }
        return text
    }

    /// Keeps a statement for later when it is to be postponed.
    func postpones(_ sql: String, _ arguments: [SQLValue]) -> Bool {
        guard let postponement = faults.withLock({ $0.postponement }), postponement(sql) else { return false }
        flaws.withLock { $0 += 1 }
        let statement = Postponed(sql: sql, arguments: arguments, transaction: transactionCount + 2)
        postponed.withLock { $0.append(statement) }
        return true
    }

    /// The sign-ins whose counter is greater than the one that a read finds; the planted bug forgets the stored ones then,
    /// so that the comparison of the statement that writes lets everything through.
    func comparedBefore(_ signIns: [SignIn]) async throws(ServerPersistenceError) -> [Bool] {
        guard faults.withLock({ $0.comparesCountersBefore }) else { return signIns.map { _ in true } }
        flaws.withLock { $0 += signIns.count }
        let ids = signIns.map { SQLValue.blob($0.registrationID.octets) }
        let counters = try await inner.read { connection throws(ServerPersistenceError) in
            var counters: [SQLValue?] = []
            for id in ids {
                let rows = try connection.rows("SELECT sign_counter FROM credentials WHERE registration_id = $1", [id])
                counters.append(rows.first?.values.first)
            }
            return counters
        }
        let isGreater = zip(signIns, counters).map { signIn, counter in
            if case .integer(let stored)? = counter { stored < Int64(signIn.signCounter) } else { false }
        }
        // Time in which another server compares with the same counters.
        try? await Task.sleep(for: .milliseconds(20))
        let forgotten = zip(ids, isGreater).filter(\.1).map(\.0)
        try await inner.transaction { connection throws(ServerPersistenceError) in
            for id in forgotten {
                try connection.execute("UPDATE credentials SET sign_counter = 0 WHERE registration_id = $1", [id])
            }
        }
        return isGreater
    }

    /// The statements whose time has come.
    private func takePostponed() -> [Postponed] {
        let now = transactionCount
        return postponed.withLock { statements in
            let due = statements.filter { $0.transaction <= now }
            statements.removeAll { $0.transaction <= now }
            return due
        }
    }
}

/// Writer of sign-ins of a ``FaultyDatabase``: one transaction that fails on request.
private struct FaultySignIns: SignInWriter {
    let inner: any SignInWriter
    let owner: FaultyDatabase

    func commit(_ signIns: [SignIn]) async throws(ServerPersistenceError) -> [Bool] {
        await owner.begin()
        try owner.countStatement("sign-ins", [])
        try owner.requireCommit()
        let isLetThrough = try await owner.comparedBefore(signIns)
        let places = signIns.indices.filter { isLetThrough[$0] }
        let written = try await inner.commit(places.map { signIns[$0] })
        let found = Set(zip(places, written).filter(\.1).map(\.0))
        return signIns.indices.map { found.contains($0) }
    }
}
