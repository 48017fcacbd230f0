import JOSE
import Octets
import ServerCore
import Synchronization

/// Public keys of clients, from their registration or fetched from their addresses.
///
/// Unauthenticated requests can have keys fetched too. An unknown key of a client causes at most one request to the
/// client's address in ``pause``, and removes no key that was fetched before.
final class ClientKeys: Sendable {
    /// Time for which a fetched key set counts.
    static let memory: Duration = .seconds(600)
    /// Time between two tries to fetch a key set because of a key that is not in it, or after a failure.
    static let pause: Duration = .seconds(30)

    private struct Fetched {
        let address: OutgoingAddress
        var keys: JWKS?
        var fetchedAt: Timestamp
        /// Begin of the last try, whether it has led to keys or not.
        var triedAt: Timestamp
        /// Fetch that is under way, shared by all requests that come meanwhile.
        var task: Task<JWKS?, Never>?
    }

    private enum Step {
        case known(JWKS?)
        case underWay(Task<JWKS?, Never>)
    }

    private let fetcher: any OutgoingSender
    private let clock: any WallClock
    private let fetched = Mutex<[ClientID: Fetched]>([:])

    init(fetcher: any OutgoingSender, clock: any WallClock) {
        self.fetcher = fetcher
        self.clock = clock
    }

    func keySet(
        of client: ClientID, _ source: RegisteredClient.KeySource, for header: JOSEHeader
    ) async throws(OpenIDRefusal) -> JWKS? {
        switch source {
        case .document(let octets): return try? JWKS(json: octets)
        case .address(let address):
            switch step(client, address, header, clock.now()) {
            case .known(let keys): return keys
            case .underWay(let task): return await task.value
            }
        }
    }

    private func step(_ client: ClientID, _ address: OutgoingAddress, _ header: JOSEHeader, _ now: Timestamp) -> Step {
        fetched.withLock { fetched in
            var entry = Fetched(address: address, fetchedAt: now, triedAt: now)
            if let known = fetched[client], known.address == address, now >= known.triedAt {
                entry = known
                if now - known.fetchedAt >= Self.memory { entry.keys = nil }
                if let keys = entry.keys, (try? keys.key(for: header)) != nil { return .known(keys) }
                if let task = known.task { return .underWay(task) }
                if now - known.triedAt < Self.pause { return .known(entry.keys) }
            }
            entry.triedAt = now
            let task = Task { await self.fetch(address, for: client, at: now) }
            entry.task = task
            fetched[client] = entry
            return .underWay(task)
        }
    }

    private func fetch(_ address: OutgoingAddress, for client: ClientID, at now: Timestamp) async -> JWKS? {
        let document = try? await fetcher.fetch(address, accepting: "application/jwk-set+json, application/json")
        let keys = document.flatMap { try? JWKS(json: $0) }
        return fetched.withLock { fetched in
            guard var entry = fetched[client], entry.address == address else { return keys }
            entry.task = nil
            if let keys {
                entry.keys = keys
                entry.fetchedAt = now
            }
            fetched[client] = entry
            return entry.keys
        }
    }
}
