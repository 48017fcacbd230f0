/// Everything that the services keep, as one value for the composition of a server.
package struct Storage: Sendable {
    package let transactions: any ServerTransactionRunner
    package let users: any UserRepository
    package let credentials: any CredentialRepository
    package let policies: any PolicyRevisions
    package let keys: any KeyStore
    package let sessions: any SessionRepository
    package let audit: any AuditLog
    package let unitOfWork: any UnitOfWork
    package let targets: any DispatchTargetRepository
    package let operations: any OperationRepository
    package let clock: any ClockStore
    package let health: any StorageHealth
    package let decoys: any DecoyStatistics
    package let traces: any StorageTraces

    package init(
        transactions: any ServerTransactionRunner, users: any UserRepository,
        credentials: any CredentialRepository, policies: any PolicyRevisions, keys: any KeyStore,
        sessions: any SessionRepository, audit: any AuditLog, unitOfWork: any UnitOfWork,
        targets: any DispatchTargetRepository, operations: any OperationRepository, clock: any ClockStore,
        health: any StorageHealth, decoys: any DecoyStatistics, traces: any StorageTraces
    ) {
        self.transactions = transactions
        self.users = users
        self.credentials = credentials
        self.policies = policies
        self.keys = keys
        self.sessions = sessions
        self.audit = audit
        self.unitOfWork = unitOfWork
        self.targets = targets
        self.operations = operations
        self.clock = clock
        self.health = health
        self.decoys = decoys
        self.traces = traces
    }
}

extension Storage {
    package func transaction<Value: Sendable>(
        _ body: @escaping ServerTransactionBody<Value>
    ) async throws(ServerError) -> Value {
        try await transactions.transaction(body)
    }

    package func read<Value: Sendable>(
        _ body: @escaping ServerSnapshotBody<Value>
    ) async throws(ServerError) -> Value {
        try await transactions.read(body)
    }
}

/// Traces that files keep of rows that were deleted.
package protocol StorageTraces: Sendable {
    /// Removes them; false when a reader was in the way, so that some is left in a file beside the database for a while.
    func remove() async throws(ServerError) -> Bool
}

/// Whether the storage still takes what is written.
package protocol StorageHealth: Sendable {
    /// Cause of the failure of the last write, in words for an operator; nil while writes succeed.
    ///
    /// It stays until a write that reaches the disk in any case succeeds (``ClockStore/advance(_:_:)``).
    var trouble: String? { get }
}
