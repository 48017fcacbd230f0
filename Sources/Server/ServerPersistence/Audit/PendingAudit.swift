import ServerCore

/// Records that the members of a transaction append to audit chains, written when all members have run.
///
/// So the lock of a chain is the last one of a transaction: its holder waits for no lock of a transaction that waits
/// for the chain.
package final class PendingAudit {
    /// Record without its place in the chain.
    struct Entry {
        let chainID: String
        let recordedAt: Timestamp
        let event: [UInt8]
        /// Code of the event (``AuditKey``); nil in a process without the keys of the server.
        let code: [UInt8]?
        let receipt: ReceiptEvidence?
    }

    private var entries: [Entry] = []

    /// Number of records so far, for ``forget(after:)``.
    var count: Int { entries.count }

    func add(_ entry: Entry) { entries.append(entry) }

    /// Forgets the records behind the first `count`: what they tell of was undone.
    func forget(after count: Int) { entries.removeLast(max(0, entries.count - count)) }

    /// Writes the records in their order, chain by chain in the order of names.
    func write(_ connection: any SQLConnection) throws(ServerPersistenceError) {
        for (chain, entries) in Dictionary(grouping: entries, by: \.chainID).sorted(by: { $0.key < $1.key }) {
            try AuditChain.append(entries, to: chain, connection)
        }
    }
}
