import Octets
import ServerCore
import Synchronization

/// Bound on the rows that strangers' requests leave; no newcomer is refused.
///
/// A network beyond its limit loses its oldest rows. Beyond the limit of all, those rows go that are old and of networks
/// with many: the share of a row is its number in its network, from the newest, by the limit of that network, and the rows
/// with the greatest products of share and age go. So a flood of few networks costs itself, and one of many networks has to
/// be faster than people.
final class OpenRequestBound: Sendable {
    /// Rows that one transaction removes.
    private static let batch = 500

    private let kind: OpenRequest.Kind
    private let lifetime: Duration
    private let limit: Int
    private let networks: OpenIDSettings.NetworkLimits
    private let transactions: any OpenIDTransactionRunner
    private let clock: any WallClock
    /// Rows that this process has made since it looked at them all; nil before it has.
    private let unseen = Mutex<Int?>(nil)

    init(
        _ kind: OpenRequest.Kind, _ settings: OpenIDSettings.Provider, transactions: any OpenIDTransactionRunner,
        clock: any WallClock
    ) {
        self.kind = kind
        lifetime = kind == .page ? settings.sessionLifetime : settings.pushedRequestLifetime
        limit = settings.openSessionLimit
        networks = settings.networkLimits
        self.transactions = transactions
        self.clock = clock
    }

    /// Rows after which a process looks at all again: a twentieth, so that a look costs little for each.
    private var step: Int { max(1, limit / 20) }

    /// Makes room for one more row.
    func makeRoom() async throws(OpenIDRefusal) {
        let isDue = unseen.withLock { unseen in
            let isDue = unseen.map { $0 >= step } ?? true
            unseen = isDue ? 1 : (unseen ?? 0) + 1
            return isDue
        }
        guard isDue else { return }
        let (kind, now) = (kind, clock.now())
        let open = try await transactions.readOrRefusal { snapshot throws(ServerTransactionFailure) in
            try snapshot.openRequests(kind, after: now)
        }
        var surplus = surplus(of: open, at: now)[...]
        while !surplus.isEmpty {
            let part = Array(surplus.prefix(Self.batch))
            surplus = surplus.dropFirst(Self.batch)
            try await transactions.transactionOrRefusal { transaction throws(ServerTransactionFailure) -> Void in
                try transaction.remove(part, kind)
            }
        }
    }

    /// The rows of `open` that have to go, so that there is room for ``step`` more.
    func surplus(of open: [OpenRequest], at now: Timestamp) -> [OpenRequest] {
        var counts: [Network: Int] = [:]
        let shares = open.sorted { $0.expiresAt > $1.expiresAt }.map { request in
            var share = 0.0
            for (network, limit) in networks(of: request.network) {
                counts[network, default: 0] += 1
                share = max(share, Double(counts[network, default: 0]) / Double(limit))
            }
            return (
                request: request, share: share, weight: share * ((now - request.expiresAt + lifetime) / .seconds(1))
            )
        }
        let beyond = shares.filter { $0.share > 1 }
        let others = shares.filter { $0.share <= 1 }.sorted { $0.weight > $1.weight }
        return (beyond + others.prefix(max(0, others.count - (limit - step)))).map(\.request)
    }

    private struct Network: Hashable {
        let address: IPAddress?
        let bitCount: Int
    }

    /// The networks in which a row counts, each with its limit.
    private func networks(of text: String) -> [(network: Network, limit: Int)] {
        let address = IPAddress(text.prefix { $0 != "/" })
        func network(_ bitCount: Int, _ limit: Int) -> (network: Network, limit: Int) {
            (Network(address: address?.first(bitCount), bitCount: bitCount), limit)
        }
        guard let address, address.family == .v6 else { return [network(32, networks.perIPv4)] }
        return [network(64, networks.per64), network(56, networks.per56), network(48, networks.per48)]
    }
}
