import Synchronization

/// Signals between this process and the others on its database: each part of the server sends what concerns its
/// counterparts, and hears what they send.
package final class ProcessSignals: Sendable {
    /// Called with each message of the other processes; it must not wait for anything.
    package typealias Listener = @Sendable (ProcessMessage) -> Void

    private let channel: any ProcessChannel
    private let listeners = Mutex<[Listener]>([])

    /// Takes over the messages of `channel`; without one there are no other processes.
    package init(_ channel: any ProcessChannel = ProcessPorts.Alone()) {
        self.channel = channel
        channel.receive { [weak self] message in self?.hear(message) }
    }

    /// Sends a message to the other processes, without waiting and perhaps without effect.
    package func send(_ message: ProcessMessage) { channel.send(message) }

    package func count(_ key: String, _ count: Int = 1, in tally: ProcessMessage.Tally) {
        guard let entry = ProcessMessage.KeyCount(key: key, count: count) else { return }
        channel.send(.counted(tally, [entry]))
    }

    package func listen(_ listener: @escaping Listener) { listeners.withLock { $0.append(listener) } }

    package func listen(
        to tally: ProcessMessage.Tally, _ listener: @escaping @Sendable (ProcessMessage.KeyCount) -> Void
    ) {
        listen { message in
            guard case .counted(tally, let entries) = message else { return }
            entries.forEach(listener)
        }
    }

    private func hear(_ message: ProcessMessage) {
        for listener in listeners.withLock({ $0 }) { listener(message) }
    }
}
