import ServerCore

/// What the repositories share: reading, grouped writing, and the audit chain of this process.
struct SQLStore: Sendable {
    let database: any SQLDatabase
    let writes: GroupCommit
    let chain: AuditChain
    let health = WriteHealth()
    let report: @Sendable (ServerPersistenceError) -> Void

    /// Reads on one consistent state.
    func read<Value: Sendable>(_ body: @escaping SQLBody<Value>) async throws(ServerError) -> Value {
        do throws(ServerPersistenceError) {
            return try await database.read(body)
        } catch {
            throw reported(error)
        }
    }

    /// Writes as a member of a shared transaction; returns once it is durable.
    func write<Value: Sendable>(_ body: @escaping SQLBody<Value>) async throws(ServerError) -> Value {
        do throws(ServerPersistenceError) {
            return try await writes.commit(body)
        } catch {
            health.failed(error)
            throw reported(error)
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
    private func reported(_ error: ServerPersistenceError) -> ServerError {
        report(error)
        return .storageUnavailable
    }
}
