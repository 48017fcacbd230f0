import LoadGenerator
import Synchronization
import TestSupport
import UAF

/// Phones and portals of all users under load: performs the operations of a plan, each as its user would.
///
/// The phones connect through a proxy, whose connections carry requests of many users, each with an address of its own.
final class LoadClient: Sendable {
    private let networks: [PhoneNetwork]
    /// Connections of the phones.
    let pool: ConnectionPool
    private let pairs: OutOfBandPairs?
    private let keys: PopulationKeys
    private let client: SyntheticClient
    private let newcomers = Atomic(0)
    private let reason = Mutex<String?>(nil)

    /// Clients of server processes that share a population.
    ///
    /// `hasPairs` registers what out-of-band operations need with the first of them.
    init(of servers: [BenchmarkServer], keys: PopulationKeys, hasPairs: Bool = false) async throws {
        guard let facet = FacetID("ios:bundle-id:org.signet.demo"), let first = servers.first else {
            throw BenchmarkFailure.badConstant
        }
        networks = try servers.map { try PhoneNetwork(to: $0) }
        pool = ConnectionPool(over: networks)
        pairs = try await hasPairs ? OutOfBandPairs(at: first, over: networks[0]) : nil
        self.keys = keys
        client = SyntheticClient(facet: facet)
    }

    /// First reason for which an operation failed, since the last look; nil when none did.
    func takeFailure() -> String? {
        reason.withLock { reason in
            defer { reason = nil }
            return reason
        }
    }

    /// Performs the operation of an arrival; `lag` is the time since it was due.
    func perform(_ arrival: Arrival, lag: Duration) async -> ArrivalOutcome {
        let start = ContinuousClock.now
        do {
            try await perform(arrival)
            return .success
        } catch let delayed as DelayedRefusal {
            return .refused(after: lag + (delayed.sendable - start) + delayed.latency)
        } catch BenchmarkFailure.overloaded(_, let latency) {
            return .refused(after: lag + latency)
        } catch {
            reason.withLock { $0 = $0 ?? "\(arrival.operation.rawValue): \(error)" }
            return .failed
        }
    }

    /// Refusal of a request whose connection was there at `sendable`.
    private struct DelayedRefusal: Error {
        let sendable: ContinuousClock.Instant
        let latency: Duration
    }

    private func perform(_ arrival: Arrival) async throws {
        switch arrival.operation {
        case .signIn:
            let name = try Self.name(Population.user(arrival.user))
            try await onPhone(arrival) { connection in
                try await connection.signIn(name, with: keys.authenticator(of: arrival.user), as: client)
            }
        case .registration:
            let number = newcomers.wrappingAdd(1, ordering: .relaxed).oldValue % Population.newcomerCount
            let name = try Self.name(Population.newcomer(number))
            var authenticator = keys.authenticator(of: number)
            authenticator.keyID = PopulationKeys.keyID(of: -1 - number)
            try await onPhone(arrival) { [authenticator] connection in
                try await connection.register(authenticator, of: name, as: client)
            }
        case .lookup:
            let name = try Self.name(Population.user(arrival.user))
            try await onPhone(arrival) { connection in
                _ = try await connection.authenticationRequest(for: name)
            }
        case .outOfBand, .statusWait:
            guard let pairs else { throw BenchmarkFailure.badConstant }
            try await pairs.perform(isWaiting: arrival.operation == .statusWait, isFresh: arrival.isFresh)
        }
    }

    /// Lends a connection of the phones to `work`.
    private func onPhone(_ arrival: Arrival, _ work: (PhoneConnection) async throws -> Void) async throws {
        let lease = try await arrival.isFresh ? pool.connect() : pool.take()
        let sendable = ContinuousClock.now
        do {
            try await work(lease.connection.forwarding(Self.address(of: arrival.user)))
        } catch BenchmarkFailure.overloaded(_, let latency) {
            // The server has answered, so that the connection is of use to others.
            pool.give(lease)
            throw DelayedRefusal(sendable: sendable, latency: latency)
        } catch {
            lease.connection.drop()
            throw error
        }
        if arrival.isFresh { lease.connection.drop() } else { pool.give(lease) }
    }

    /// Address of a user's phone, as the proxy says that holds the connections.
    private static func address(of user: Int) -> String {
        "10.\((user >> 16) & 0xFF).\((user >> 8) & 0xFF).\(user & 0xFF)"
    }

    private static func name(_ text: String) throws -> UserName {
        guard let name = UserName(text) else { throw BenchmarkFailure.badConstant }
        return name
    }

    /// Closes all connections.
    func shutDown() async throws {
        for network in networks { try await network.shutDown() }
    }
}
