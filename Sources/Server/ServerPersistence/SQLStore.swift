import LoadControl
import OpenID
import ServerCore
import UAFService

/// Base of the repositories: reading, grouped writing, and the audit chain of this process.
struct SQLStore: Sendable {
    let database: any SQLDatabase
    /// Nil where reads have nothing to share.
    let reads: GroupRead?
    let writes: GroupCommit
    let ownChain: AuditChain
    let health: WriteHealth
    let news: StorageNews

    /// Chain of this process, for the records of the present task.
    var chain: AuditChain {
        var chain = ownChain
        chain.act = AdministrativeAct.current
        return chain
    }

    /// Reads on one consistent state; not for a request that has ended.
    func read<Value: Sendable>(_ body: @escaping SQLBody<Value>) async throws(ServerError) -> Value {
        try await reading { () async throws(ServerPersistenceError) in try await database.read(body) }
    }

    /// Rows of a query, asked together with other requests' queries where that saves a way to the database; not for a
    /// request that has ended.
    func rows(of query: SQLQuery) async throws(ServerError) -> [SQLRow] {
        guard let reads else {
            return try await read { connection throws(ServerPersistenceError) in
                try connection.rows(query.sql, query.arguments)
            }
        }
        return try await reading { () async throws(ServerPersistenceError) in try await reads.rows(of: query) }
    }

    /// Decodes what was read; what cannot be is told to the operator.
    func decoded<Value>(_ body: () throws(ServerPersistenceError) -> Value) throws(ServerError) -> Value {
        do throws(ServerPersistenceError) {
            return try body()
        } catch {
            throw reported(error, of: .reading)
        }
    }

    private func reading<Value: Sendable>(
        _ work: () async throws(ServerPersistenceError) -> Value
    ) async throws(ServerError) -> Value {
        let lifetime = RequestLifetime.current
        if lifetime?.end != nil { throw reported(.overloaded, of: .reading) }
        let deadline = lifetime.flatMap { $0.hasWritten ? nil : $0.deadline }
        let result: Result<Value, ServerPersistenceError> = await Deadline.$ofStatements.withValue(deadline) {
            do throws(ServerPersistenceError) {
                return .success(try await work())
            } catch {
                return .failure(error)
            }
        }
        do throws(ServerPersistenceError) {
            let value = try result.get()
            news.worked(.reading)
            return value
        } catch {
            throw reported(error, of: .reading)
        }
    }

    /// Writes as a member of a shared transaction; returns once it is durable.
    func write<Value: Sendable>(_ body: @escaping SQLBody<Value>) async throws(ServerError) -> Value {
        do throws(ServerPersistenceError) {
            return try await writes.commit(body)
        } catch {
            health.failed(error)
            throw reported(error, of: .writing)
        }
    }

    /// Writes in a separate transaction, for a lock that no member of a shared one may wait for.
    func writeAlone<Value: Sendable>(_ body: @escaping SQLBody<Value>) async throws(ServerError) -> Value {
        do throws(ServerPersistenceError) {
            return try await database.transaction(body)
        } catch {
            health.failed(error)
            throw reported(error, of: .writing)
        }
    }

    /// Writes an end of a ceremony, together with many others where it is a sign-in and the database can.
    func write(
        _ signIn: SignIn?, _ body: @escaping SQLBody<CommitResult>
    ) async throws(ServerError) -> CommitResult {
        do throws(ServerPersistenceError) {
            return try await writes.commit(signIn, otherwise: body)
        } catch {
            health.failed(error)
            throw reported(error, of: .writing)
        }
    }

    /// Writes and, when `body` says that something changed, appends `event` in the same transaction.
    func write(
        _ event: AuditEvent, _ body: @escaping SQLBody<Bool>
    ) async throws(ServerError) -> Bool {
        let chain = self.chain
        return try await write { connection throws(ServerPersistenceError) in
            guard try body(connection) else { return false }
            try chain.append(event, connection)
            return true
        }
    }

    /// The services only need to know that there is no answer; the detail goes to the operator.
    ///
    /// Overload is no failure of the database: its metrics and the log of its changes tell of it.
    private func reported(_ error: ServerPersistenceError, of work: StorageNews.Work) -> ServerError {
        if error.isOverload { return .overloaded(retryAfter: .seconds(writes.load.retryAfterSeconds)) }
        news.failed(error, work)
        return .storageUnavailable
    }
}

extension SQLStore {
    /// Runs a rule as a member of a shared transaction.
    func transaction<Value: Sendable>(
        _ body: @escaping @Sendable (SQLTransaction) throws(ServerTransactionFailure) -> Value
    ) async throws(ServerError) -> Value {
        let chain = self.chain
        return try await write { connection throws(ServerPersistenceError) in
            try SQLTransaction(connection: connection, chain: chain, isWriting: true).run(body)
        }
    }

    fileprivate func read<Value: Sendable>(
        rule body: @escaping @Sendable (SQLTransaction) throws(ServerTransactionFailure) -> Value
    ) async throws(ServerError) -> Value {
        let chain = self.chain
        return try await read { connection throws(ServerPersistenceError) in
            try SQLTransaction(connection: connection, chain: chain, isWriting: false).run(body)
        }
    }
}

/// Removal of what the files of the database keep of deleted rows.
struct SQLTraces: StorageTraces {
    let store: SQLStore

    func remove() async throws(ServerError) -> Bool {
        do throws(ServerPersistenceError) {
            return try await store.database.emptyLog()
        } catch {
            throw .storageUnavailable
        }
    }
}

/// Transactions of the OpenID Provider on the store.
struct SQLOpenIDTransactions: OpenIDTransactionRunner {
    let store: SQLStore

    func transaction<Value: Sendable>(
        _ body: @escaping OpenIDTransactionBody<Value>
    ) async throws(ServerError) -> Value {
        try await store.transaction(body)
    }

    func read<Value: Sendable>(_ body: @escaping OpenIDSnapshotBody<Value>) async throws(ServerError) -> Value {
        try await store.read(rule: body)
    }
}

/// Transactions of the store: rules as members of the shared ones, ends of ceremonies among them, and reads on one
/// state.
struct SQLStoreTransactions: ServerTransactionRunner, UnitOfWork {
    let store: SQLStore

    func transaction<Value: Sendable>(
        _ body: @escaping ServerTransactionBody<Value>
    ) async throws(ServerError) -> Value {
        try await store.transaction(body)
    }

    func read<Value: Sendable>(_ body: @escaping ServerSnapshotBody<Value>) async throws(ServerError) -> Value {
        try await store.read(rule: body)
    }

    func commit(_ outcome: CeremonyOutcome) async throws(ServerError) -> CommitResult {
        let chain = store.chain
        return try await store.write(SignIn(outcome, chain: chain)) { connection throws(ServerPersistenceError) in
            try SQLTransaction(connection: connection, chain: chain, isWriting: true)
                .run { transaction throws(ServerTransactionFailure) in
                    try EndCeremony(in: transaction, outcome).commit()
                }
        }
    }

    func purgeConsumption(before time: Timestamp, limit: Int) async throws(ServerError) -> Int {
        try await store.writeAlone { connection throws(ServerPersistenceError) in
            // The mark first and never backwards: whatever is forgotten stays refused.
            try connection.lock(.forgetting)
            try connection.enqueue(
                "UPDATE consumption_watermark SET purged_before = $1 WHERE id = 1 AND purged_before < $1",
                [.integer(time.milliseconds)])
            return try OldestRows(table: "consumed_challenges", column: "expires_at")
                .delete(before: time, limit: limit, connection)
        }
    }
}
