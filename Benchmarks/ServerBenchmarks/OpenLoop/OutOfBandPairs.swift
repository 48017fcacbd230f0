import Synchronization

/// Portals and phones for out-of-band operations under load, each pair with a user and connections of its own.
///
/// An operation takes a pair for itself, because a user has few operations at the same time; one that finds none has
/// failed, it does not wait.
final class OutOfBandPairs: Sendable {
    /// Number of pairs.
    static let count = 256

    private let idle: Mutex<[OutOfBandPair]>

    /// Registers the phones of all pairs with a server.
    init(at server: BenchmarkServer, over network: PhoneNetwork) async throws {
        let origin = "https://127.0.0.1:\(server.port)"
        let pairs = try await withThrowingTaskGroup(of: OutOfBandPair.self) { group in
            var pairs: [OutOfBandPair] = []
            for number in 0..<Self.count {
                if number >= 16, let pair = try await group.next() { pairs.append(pair) }
                group.addTask {
                    var pair = try OutOfBandPair(
                        user: Population.phoneUser(Load.phoneLimit + number), at: origin, on: network)
                    try await pair.prepare()
                    return pair
                }
            }
            for try await pair in group { pairs.append(pair) }
            return pairs
        }
        idle = Mutex(pairs)
    }

    /// One operation by an idle pair, with new connections if `isFresh`; throws unless it succeeds.
    func perform(isWaiting: Bool, isFresh: Bool) async throws {
        guard var pair = idle.withLock({ $0.popLast() }) else { throw BenchmarkFailure.noIdlePair }
        if isFresh { try? await pair.hangUp() }
        do {
            try await pair.work(isWaiting: isWaiting)
        } catch {
            // A response may still be on its way over the connections.
            try? await pair.hangUp()
            give(pair)
            throw error
        }
        give(pair)
    }

    private func give(_ pair: OutOfBandPair) {
        idle.withLock { $0.append(pair) }
    }
}
