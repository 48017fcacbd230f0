/// Leadership among the server processes on one database: one of the processes that ask leads.
package protocol Leadership: Sendable {
    /// Whether this process leads in `duty`; it takes the lead when no process has it, and keeps it while it lives.
    ///
    /// A database may for a moment have two leaders, when the first one has lost its connection and does not know yet.
    /// So leading saves work and is no permission: what must happen once is judged in its transaction.
    func leads(_ duty: LeadershipDuty) async -> Bool
}

/// Recurring work that one process does for all.
package enum LeadershipDuty: Sendable, Hashable {
    /// Rotation of keys, statistics, and forgetting what has been kept for long enough.
    case maintenance
    /// Handing of the audit to its subscribers.
    case subscribers
    case outgoing
    /// Removal of old records from the audit chain of this name.
    case pruning(chain: String)

    /// Name for files and locks: lower-case letters, digits and a hyphen, at most 40 characters.
    package var name: String {
        switch self {
        case .maintenance: return "maintenance"
        case .subscribers: return "subscribers"
        case .outgoing: return "outgoing"
        case .pruning(let chain):
            let digits = AuditHash(of: chain.utf8).octets.prefix(8).map { byte in
                (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
            return "pruning-" + digits.joined()
        }
    }
}
