package import ServerCore

/// Outgoing messages, and the places of the subscribers of the audit.
extension MemoryTransaction {
    package func dueMessages(at now: Timestamp, limit: Int) -> [OutgoingMessage] {
        let waiting = Dictionary(grouping: ordered.filter { $0.state == .waiting }) { message in
            "\(message.kind.rawValue) \(message.destination)"
        }
        let due = waiting.values.flatMap { queue -> [OutgoingMessage] in
            guard queue.first?.kind != .webhook else {
                return Array(queue.prefix(OutgoingMessage.queueLength).prefix { $0.nextAttemptAt <= now })
            }
            let ready = queue.filter { $0.nextAttemptAt <= now }.sorted { one, other in
                one.nextAttemptAt == other.nextAttemptAt
                    ? one.id.octets.lexicographicallyPrecedes(other.id.octets) : one.nextAttemptAt < other.nextAttemptAt
            }
            return Array(ready.prefix(OutgoingMessage.queueLength))
        }
        return Array(due.sorted { $0.isOlder(than: $1) }.prefix(limit))
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

    package func places(of subscriber: String) -> [String: Int64] { state.places[subscriber] ?? [:] }

    package func movePlace(of subscriber: String, in chain: String, from known: Int64?, to sequence: Int64) -> Bool {
        guard state.places[subscriber]?[chain] == known else { return false }
        state.places[subscriber, default: [:]][chain] = sequence
        return true
    }
}
