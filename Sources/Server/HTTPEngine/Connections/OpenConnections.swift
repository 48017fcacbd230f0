import NIOCore
import Octets
import ServiceLifecycle
import Synchronization

/// Open connections of a listener, until they are closed and their last requests have ended.
///
/// It is a service of the listener, so that its end waits for the requests in flight, and its cancellation ends them. A task for each
/// connection would do the same, but a task group goes through all of its tasks when one of them ends: with ten thousand connections
/// that costs more than the request of one that is closed.
package final class OpenConnections: Service {
    private struct Connection {
        let channel: any Channel
        let work: ConnectionWork
        let number: Int
        /// Network of its client; nil for a connection of a proxy, which carries requests of many.
        var network: IPAddress?
    }

    private struct State {
        var connections: [ObjectIdentifier: Connection] = [:]
        /// Connections that there have been, and of which room is made again at the earliest.
        var total = 0
        var nextLook = 0
        var isCancelled = false
        /// Wait for the moment at which there is none.
        var end: CheckedContinuation<Void, Never>?
    }

    private let limit: Int
    private let state = Mutex(State())

    /// Keeps room for new connections below `limit`, see ``add(_:_:)``.
    package init(limit: Int = .max) {
        self.limit = limit
    }

    /// Number of connections that are open, or whose last request has not ended.
    var count: Int { state.withLock { $0.connections.count } }

    /// Adds a connection whose requests `work` runs; it is closed at once where the listener was cancelled.
    ///
    /// When there is hardly room for more, a sixteenth of all is closed of those that answer no request, the oldest of the
    /// networks that have the most first: few hosts cannot keep others out.
    func add(_ channel: any Channel, _ work: ConnectionWork) {
        let key = ObjectIdentifier(channel)
        let (isCancelled, surplus) = state.withLock { state in
            state.total += 1
            var surplus: [any Channel] = []
            if state.connections.count >= limit - limit / 16, state.total >= state.nextLook {
                surplus = Self.surplus(of: state.connections.values, max(1, limit / 16))
                state.nextLook = state.total + limit / 32
            }
            state.connections[key] = Connection(channel: channel, work: work, number: state.total)
            return (state.isCancelled, surplus)
        }
        for channel in surplus { channel.close(promise: nil) }
        channel.closeFuture.whenComplete { [self] _ in
            work.atEnd { self.remove(key) }
        }
        if isCancelled { Self.cancel(channel, work) }
    }

    /// Says whose connection it is.
    func assign(_ channel: any Channel, to client: IPAddress) {
        let network = client.family == .v4 ? client : client.first(48)
        state.withLock { $0.connections[ObjectIdentifier(channel)]?.network = network }
    }

    private static func surplus(of connections: some Sequence<Connection>, _ count: Int) -> [any Channel] {
        var counts: [IPAddress: Int] = [:]
        var idle: [(connection: Connection, place: Int)] = []
        for connection in connections.sorted(by: { $0.number > $1.number }) {
            guard let network = connection.network else { continue }
            counts[network, default: 0] += 1
            if connection.work.isIdle { idle.append((connection, counts[network, default: 0])) }
        }
        // The sort keeps the order of equals on no promise, so the number decides.
        idle.sort { ($0.place, $1.connection.number) > ($1.place, $0.connection.number) }
        return idle.prefix(count).map(\.connection.channel)
    }

    /// Runs until the listener has ended, and the last request with it.
    package func run() async {
        await withTaskCancellationHandler {
            // Ends with either, the end in order or the cancellation.
            try? await gracefulShutdown()
            await end()
        } onCancel: {
            cancel()
        }
    }

    private func remove(_ key: ObjectIdentifier) {
        let end = state.withLock { state in
            state.connections[key] = nil
            return state.connections.isEmpty ? state.end.take() : nil
        }
        end?.resume()
    }

    /// Waits until there is no connection.
    private func end() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.connections.isEmpty { state.end = continuation }
                return state.connections.isEmpty
            }
            if isOver { continuation.resume() }
        }
    }

    private func cancel() {
        let connections = state.withLock { state in
            state.isCancelled = true
            return Array(state.connections.values)
        }
        for connection in connections { Self.cancel(connection.channel, connection.work) }
    }

    private static func cancel(_ channel: any Channel, _ work: ConnectionWork) {
        channel.close(promise: nil)
        work.cancel()
    }
}
