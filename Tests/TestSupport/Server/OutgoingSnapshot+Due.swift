package import OpenID
package import ServerCore

extension OutgoingSnapshot {
    /// Due messages of all receivers, oldest first, at most `limit`.
    package func dueMessages(at now: Timestamp, limit: Int) throws(ServerTransactionFailure) -> [OutgoingMessage] {
        var found: [OutgoingMessage] = []
        for due in try dueReceivers(at: now) { found += try dueMessages(of: due.receiver, at: now) }
        return Array(found.sorted { $0.isOlder(than: $1) }.prefix(limit))
    }
}

extension OutgoingMessage {
    /// Whether the message was made before another one; of two of one moment, by their identifiers.
    func isOlder(than other: OutgoingMessage) -> Bool {
        guard createdAt == other.createdAt else { return createdAt < other.createdAt }
        return id.octets.lexicographicallyPrecedes(other.id.octets)
    }
}
