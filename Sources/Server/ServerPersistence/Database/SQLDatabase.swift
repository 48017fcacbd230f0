/// Statements that run together: on any thread, and without keeping the connection.
package typealias SQLBody<Value> = @Sendable (any SQLConnection) throws(ServerPersistenceError) -> Value

/// A database that keeps what was committed, also when the power fails.
package protocol SQLDatabase: Sendable {
    /// Runs `body` on one consistent state of the database; it must not write.
    func read<Value: Sendable>(_ body: @escaping SQLBody<Value>) async throws(ServerPersistenceError) -> Value

    /// Runs `body` in one transaction that begins as a writing one.
    ///
    /// Returns once COMMIT is durable. A throw from `body`, or a COMMIT that fails, leaves nothing behind.
    /// Cancelling the caller's task does not stop what has begun: others may share the transaction.
    func transaction<Value: Sendable>(_ body: @escaping SQLBody<Value>) async throws(ServerPersistenceError) -> Value
}
