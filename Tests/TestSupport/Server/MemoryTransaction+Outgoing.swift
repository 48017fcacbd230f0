package import OpenID
package import ServerCore

/// Outgoing messages, and the places of the subscribers of the audit.
extension MemoryTransaction {
    package func dueReceivers(at now: Timestamp) -> [DueReceiver] {
        let receivers = Set(state.messages.map { OutgoingReceiver(kind: $0.kind, name: $0.destination) })
        return receivers.map { DueReceiver($0, count: due(of: $0, at: now).count) }.filter { $0.count > 0 }
    }

    package func dueMessages(of receiver: OutgoingReceiver, at now: Timestamp) -> [OutgoingMessage] {
        Array(due(of: receiver, at: now).prefix(OutgoingMessage.queueLength))
    }

    private func due(of receiver: OutgoingReceiver, at now: Timestamp) -> [OutgoingMessage] {
        let queue = ordered.filter {
            $0.state == .waiting && $0.kind == receiver.kind && $0.destination == receiver.name
        }
        guard receiver.kind != .webhook else { return Array(queue.prefix { $0.nextAttemptAt <= now }) }
        return queue.filter { $0.nextAttemptAt <= now }.sorted { one, other in
            one.nextAttemptAt == other.nextAttemptAt
                ? one.id.octets.lexicographicallyPrecedes(other.id.octets) : one.nextAttemptAt < other.nextAttemptAt
        }
    }

    /// All messages, oldest first.
    private var ordered: [OutgoingMessage] { state.messages.sorted { $0.isOlder(than: $1) } }

    package func messages(_ state: OutgoingMessage.State, limit: Int) -> [OutgoingMessage] {
        Array(ordered.reversed().filter { $0.state == state }.prefix(limit))
    }

    package func message(_ id: OutgoingMessageID) -> OutgoingMessage? { state.messages.first { $0.id == id } }

    package func insert(_ message: OutgoingMessage) {
        if self.message(message.id) == nil { state.messages.append(message) }
    }

    package func update(_ message: OutgoingMessage, attempts known: Int) -> Bool {
        guard let index = state.messages.firstIndex(where: { $0.id == message.id && $0.attempts == known }) else {
            return false
        }
        state.messages[index] = message
        return true
    }

    package func removeMessage(_ id: OutgoingMessageID) -> Bool {
        let count = state.messages.count
        state.messages.removeAll { $0.id == id }
        return state.messages.count < count
    }

    package func removeDeadMessages(madeBefore time: Timestamp, limit: Int) -> Int {
        let old = ordered.filter { $0.state == .dead && $0.createdAt < time }.prefix(limit).map(\.id)
        state.messages.removeAll { old.contains($0.id) }
        return old.count
    }

    // MARK: - Places

    package func subscribers() -> [String] { state.places.keys.sorted() }

    package func removePlaces(of subscriber: String) -> Bool { state.places.removeValue(forKey: subscriber) != nil }

    package func places(of subscriber: String) -> [String: Int64] { state.places[subscriber] ?? [:] }

    package func movePlace(of subscriber: String, in chain: String, from known: Int64?, to sequence: Int64) -> Bool {
        guard state.places[subscriber]?[chain] == known else { return false }
        state.places[subscriber, default: [:]][chain] = sequence
        return true
    }
}
