package import ServerCore
import Synchronization

/// Clients of the configuration and, behind them, of the database.
package final class StoredClientRegistry: ClientRegistry {
    /// Time for which the clients of the database are remembered.
    static let memory: Duration = .seconds(10)
    /// Time for which it is remembered that the database has no client of a name, so that a new one is known soon.
    static let memoryOfAbsence: Duration = .seconds(1)

    private struct Read {
        let clients: [ClientID: RegisteredClient]
        let disabled: Set<ClientID>
        let pageOrigins: Set<String>
        let at: Timestamp
    }

    private struct Configured {
        var clients: [ClientID: RegisteredClient] = [:]
        var pageOrigins: Set<String> = []
        /// Clients that were left out, and whose tokens the database does not know to have ended.
        var unended: Set<ClientID> = []
    }

    private let configured = Mutex(Configured())
    private let builtIn: [RegisteredClient]
    private let reserved: Set<String>
    private let transactions: any OpenIDTransactionRunner
    private let clock: any WallClock
    private let last = Mutex<Read?>(nil)

    /// Takes the clients of the configuration.
    ///
    /// `builtIn` are clients of the server itself, which it keeps. `reserved` are names that no client may have: the audience of the backend's tokens, so that no ID token can pass
    /// for one.
    package init(
        configured: [RegisteredClient], builtIn: [RegisteredClient] = [], reserved: Set<String>,
        transactions: any OpenIDTransactionRunner, clock: any WallClock
    ) {
        self.builtIn = builtIn
        self.reserved = reserved
        self.transactions = transactions
        self.clock = clock
        replaceConfigured(with: configured)
    }

    /// Replaces the clients of the configuration: one that is left out can begin nothing from now on.
    func replaceConfigured(with clients: [RegisteredClient]) {
        let clients = builtIn + clients
        configured.withLock { configured in
            let fresh = Dictionary(clients.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
            configured.unended = configured.unended.union(configured.clients.keys).subtracting(fresh.keys)
            configured.clients = fresh
            configured.pageOrigins = Set(clients.flatMap(\.pageOrigins))
        }
    }

    /// Clients that were left out, and whose tokens the database does not know to have ended.
    var unended: Set<ClientID> { configured.withLock { $0.unended } }

    func noteEnd(of id: ClientID) { configured.withLock { _ = $0.unended.remove(id) } }

    package func client(_ id: ClientID) async throws(ServerError) -> RegisteredClient? {
        guard !reserved.contains(id.text) else { return nil }
        let known = configured.withLock { $0.clients[id] }
        let read = try await stored { known ?? $0.clients[id] == nil ? Self.memoryOfAbsence : Self.memory }
        return read.disabled.contains(id) ? nil : known ?? read.clients[id]
    }

    package func pageOrigins() async throws(ServerError) -> Set<String> {
        configured.withLock { $0.pageOrigins }.union(try await stored { _ in Self.memory }.pageOrigins)
    }

    /// Clients of the database, from memory while it is younger than `memory` says.
    private func stored(_ memory: (Read) -> Duration) async throws(ServerError) -> Read {
        let now = clock.now()
        if let known = last.withLock({ $0 }), now >= known.at, now - known.at < memory(known) { return known }
        let (rows, disabled) = try await transactions.read { snapshot throws(ServerTransactionFailure) in
            (
                try snapshot.clients().filter { !$0.isDisabled }.map(\.client),
                Set(try snapshot.disabledClients())
            )
        }
        let clients = Dictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let read = Read(
            clients: clients, disabled: disabled, pageOrigins: Set(rows.flatMap(\.pageOrigins)), at: now)
        last.withLock { $0 = read }
        return read
    }
}
