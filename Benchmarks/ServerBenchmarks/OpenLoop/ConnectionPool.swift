import Synchronization

/// Open TLS connections of phones to one server process or several, which are used again by the next client.
///
/// An operation takes a connection for itself and opens one when all are taken; there is no waiting for one. With several
/// processes the operations go to one after the other, and no user stays with one of them.
final class ConnectionPool: Sendable {
    private struct State {
        var idle: [[PhoneConnection]]
        var turn = 0
    }

    /// Connection, and the process at its other end.
    struct Lease: Sendable {
        let connection: PhoneConnection
        fileprivate let place: Int
    }

    private let networks: [PhoneNetwork]
    private let state: Mutex<State>

    /// Pool of connections over these networks, at least one.
    init(over networks: [PhoneNetwork]) {
        self.networks = networks
        state = Mutex(State(idle: Array(repeating: [], count: networks.count)))
    }

    /// Opens connections in advance, so that a load does not begin with their handshakes.
    func warm(_ count: Int) async throws {
        let leases = try await withThrowingTaskGroup(of: Lease.self) { group in
            var leases: [Lease] = []
            for number in 0..<count {
                // As many handshakes at once as a server takes without a queue.
                if number >= 32, let lease = try await group.next() { leases.append(lease) }
                group.addTask { try await self.connect() }
            }
            for try await lease in group { leases.append(lease) }
            return leases
        }
        for lease in leases { give(lease) }
    }

    /// An idle connection, or a new one.
    func take() async throws -> Lease {
        let (place, idle) = state.withLock { state -> (Int, PhoneConnection?) in
            let place = nextPlace(&state)
            while let connection = state.idle[place].popLast() {
                if connection.isOpen { return (place, connection) }
            }
            return (place, nil)
        }
        if let idle { return Lease(connection: idle, place: place) }
        return Lease(connection: try await networks[place].connect(), place: place)
    }

    /// A new connection.
    func connect() async throws -> Lease {
        let place = state.withLock { nextPlace(&$0) }
        return Lease(connection: try await networks[place].connect(), place: place)
    }

    /// Takes a connection back, for others.
    func give(_ lease: Lease) {
        guard lease.connection.isOpen else { return }
        state.withLock { $0.idle[lease.place].append(lease.connection) }
    }

    private func nextPlace(_ state: inout State) -> Int {
        state.turn = (state.turn + 1) % networks.count
        return state.turn
    }
}
