import NIOCore
import ServiceLifecycle
import Synchronization

/// Open connections of a listener, until they are closed and their last requests have ended.
///
/// It is a service of the listener, so that its end waits for the requests in flight, and its cancellation ends them. A task for each
/// connection would do the same, but a task group goes through all of its tasks when one of them ends: with ten thousand connections
/// that costs more than the request of one that is closed.
package final class OpenConnections: Service {
    private struct State {
        var connections: [ObjectIdentifier: (channel: any Channel, work: ConnectionWork)] = [:]
        var isCancelled = false
        /// Wait for the moment at which there is none.
        var end: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    package init() {}

    /// Number of connections that are open, or whose last request has not ended.
    var count: Int { state.withLock { $0.connections.count } }

    /// Adds a connection whose requests `work` runs; it is closed at once where the listener was cancelled.
    func add(_ channel: any Channel, _ work: ConnectionWork) {
        let key = ObjectIdentifier(channel)
        let isCancelled = state.withLock { state in
            state.connections[key] = (channel, work)
            return state.isCancelled
        }
        channel.closeFuture.whenComplete { [self] _ in
            work.atEnd { self.remove(key) }
        }
        if isCancelled { Self.cancel(channel, work) }
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
        for (channel, work) in connections { Self.cancel(channel, work) }
    }

    private static func cancel(_ channel: any Channel, _ work: ConnectionWork) {
        channel.close(promise: nil)
        work.cancel()
    }
}
