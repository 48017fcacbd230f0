package import ServerCore
import StrictJSON
import UAFService

/// Administration of the clients that stand in the database; each change has a record in the audit.
///
/// Results are false where nothing was written: there is no such client, or there is one already.
package struct ClientAdministration: Sendable {
    private let transactions: any OpenIDTransactionRunner
    private let clock: any WallClock
    private let keys: KeyService
    private let configured: Set<ClientID>

    package init(_ server: OpenIDServer) {
        transactions = server.transactions
        clock = server.services.ports.clock
        keys = server.services.keys
        configured = Set(server.settings.openID?.clients.map(\.id) ?? [])
    }

    /// Clients in the order of their names; disabled ones with `true`.
    ///
    /// Throws ``ServerError/storageUnavailable``.
    package func all() async throws(ServerError) -> [(client: RegisteredClient, isDisabled: Bool)] {
        try await transactions.read { snapshot throws(ServerTransactionFailure) in try snapshot.clients() }
    }

    /// Adds a client; false when there is one of this name.
    ///
    /// Throws ``ServerError/storageUnavailable``.
    package func add(_ client: RegisteredClient) async throws(ServerError) -> Bool {
        let now = clock.now()
        try await provideKey(for: client.idTokenAlgorithm)
        return try await change(.clientAdded, client.id) { transaction throws(ServerTransactionFailure) in
            try transaction.insert(client, at: now) ? [] : nil
        }
    }

    /// Replaces a client as a part of a transaction; false when there is none of this name.
    package static func replace(
        _ client: RegisteredClient, at now: Timestamp, in transaction: any OpenIDTransaction
    ) throws(ServerTransactionFailure) -> Bool {
        try change(AuditEvent(.clientChanged, at: now), client.id, in: transaction) {
            transaction throws(ServerTransactionFailure) in
            guard let old = try transaction.clients().first(where: { $0.client.id == client.id })?.client else {
                return nil
            }
            guard try transaction.update(client) else { return nil }
            return ClientRecord(old).changes(to: ClientRecord(client))
        }
    }

    /// Disables a client, of the configuration as well, or enables it again; what it was given until then holds no more.
    ///
    /// False when there is none.
    package func setDisabled(
        _ isDisabled: Bool, _ id: ClientID, at now: Timestamp, in transaction: any OpenIDTransaction
    ) throws(ServerTransactionFailure) -> Bool {
        let isConfigured = configured.contains(id)
        return try Self.change(AuditEvent(.clientChanged, at: now), id, in: transaction) {
            transaction throws(ServerTransactionFailure) in
            let stored = try transaction.clients().map(\.client.id)
            guard isConfigured || stored.contains(id) else { return nil }
            let wasDisabled = try transaction.disabledClients().contains(id)
            try transaction.setDisabled(isDisabled, id, at: now)
            return [AuditEvent.SettingChange("disabled", from: .bool(wasDisabled), to: .bool(isDisabled))]
        }
    }

    /// Removes a client with its grants; false when there is none.
    package static func remove(
        _ id: ClientID, at now: Timestamp, in transaction: any OpenIDTransaction
    ) throws(ServerTransactionFailure) -> Bool {
        try change(AuditEvent(.clientRemoved, at: now), id, in: transaction) {
            transaction throws(ServerTransactionFailure) in
            try transaction.removeClient(id, at: now) ? [] : nil
        }
    }

    /// Takes up the clients of the configuration; what was given to one that is left out holds no more.
    ///
    /// Throws ``ServerError/storageUnavailable``; the next call ends then what this one has not.
    package func takeUp(
        _ clients: [RegisteredClient], in registry: StoredClientRegistry
    ) async throws(ServerError) {
        for client in clients { try await provideKey(for: client.idTokenAlgorithm) }
        registry.replaceConfigured(with: clients)
        for id in registry.unended {
            let now = clock.now()
            _ = try await change(.clientRemoved, id) { transaction throws(ServerTransactionFailure) in
                try transaction.setDisabled(try transaction.disabledClients().contains(id), id, at: now)
                return []
            }
            registry.noteEnd(of: id)
        }
    }

    /// Makes the key of the ID tokens where it is the first of its kind, before the client can ask for one.
    ///
    /// Throws ``ServerError/storageUnavailable``.
    package func provideKey(for algorithm: RegisteredClient.IDTokenAlgorithm) async throws(ServerError) {
        if algorithm == .rs256 { try await keys.provide(.idTokenRSA) }
    }

    /// Writes and records a change; `body` returns what it has changed, and nil where nothing was written.
    private func change(
        _ kind: AuditEvent.Kind, _ id: ClientID, _ body: @escaping OpenIDTransactionBody<[AuditEvent.SettingChange]?>
    ) async throws(ServerError) -> Bool {
        let now = clock.now()
        return try await transactions.transaction { transaction throws(ServerTransactionFailure) in
            try Self.change(AuditEvent(kind, at: now), id, in: transaction, body)
        }
    }

    private static func change(
        _ event: AuditEvent, _ id: ClientID, in transaction: any OpenIDTransaction,
        _ body: OpenIDTransactionBody<[AuditEvent.SettingChange]?>
    ) throws(ServerTransactionFailure) -> Bool {
        try transaction.lockClients()
        guard let changes = try body(transaction) else { return false }
        var event = event
        event.clientID = id
        event.changes = changes
        try transaction.append(event)
        return true
    }
}
