import JOSE
import Octets
import ServerCore
import Synchronization

/// Public keys of clients, from their registration or fetched from their addresses.
final class ClientKeys: Sendable {
    /// Time for which a fetched key set counts.
    static let memory: Duration = .seconds(600)
    /// Time between two tries to fetch a key set because of a key that is not in it, or after a failure.
    static let pause: Duration = .seconds(30)

    private struct Fetched {
        let address: OutgoingAddress
        /// The key set; nil when fetching has failed.
        let keys: JWKS?
        let at: Timestamp
    }

    private let fetcher: any OutgoingSender
    private let clock: any WallClock
    private let fetched = Mutex<[ClientID: Fetched]>([:])

    init(fetcher: any OutgoingSender, clock: any WallClock) {
        self.fetcher = fetcher
        self.clock = clock
    }

    /// Key set of a client for a token with this header; nil when it cannot be had.
    func keySet(
        of client: ClientID, _ source: RegisteredClient.KeySource, for header: JOSEHeader
    ) async throws(OpenIDRefusal) -> JWKS? {
        switch source {
        case .document(let octets): return try? JWKS(json: octets)
        case .address(let address):
            let now = clock.now()
            if let known = fetched.withLock({ $0[client] }), known.address == address, now >= known.at {
                let age = now - known.at
                let isUsable = age < Self.memory && known.keys.map { (try? $0.key(for: header)) != nil } ?? false
                if isUsable || age < Self.pause { return known.keys }
            }
            return await fetch(address, for: client, at: now)
        }
    }

    private func fetch(_ address: OutgoingAddress, for client: ClientID, at now: Timestamp) async -> JWKS? {
        let document = try? await fetcher.fetch(address, accepting: "application/jwk-set+json, application/json")
        let keys = document.flatMap { try? JWKS(json: $0) }
        fetched.withLock { $0[client] = Fetched(address: address, keys: keys, at: now) }
        return keys
    }
}
