import ServerCore

/// Appends to an audit chain: that of this instance, or one that is pruned.
///
/// The hash of each record covers the one before it (``AuditRecord``).
struct AuditChain: Sendable {
    let id: String
    /// Operator who runs this process by hand; nil for a server.
    let actor: AuditActor?

    /// Appends a record after the last one; the last one is read in the same transaction.
    func append(_ event: AuditEvent, _ connection: any SQLConnection) throws(ServerPersistenceError) {
        try connection.lock(.chain(id))
        let record = AuditRecord(chainID: id, after: try head(connection), event: content(of: event))
        try connection.enqueue(
            """
            INSERT INTO audit_records (chain_id, sequence, recorded_at, event, previous_hash, hash)
            VALUES ($1, $2, $3, $4, $5, $6)
            """,
            [
                .text(record.chainID), .integer(record.sequence), .integer(event.at.milliseconds),
                .blob(record.event), .blob(record.previousHash.octets), .blob(record.hash.octets),
            ])
    }

    /// Content of a record: the event, with the operator of this process.
    func content(of event: AuditEvent) -> [UInt8] {
        var event = event
        event.actor = actor
        return event.json
    }

    private func head(_ connection: any SQLConnection) throws(ServerPersistenceError) -> AuditRecord.Head? {
        let row = try connection.row(
            "SELECT sequence, hash FROM audit_records WHERE chain_id = $1 ORDER BY sequence DESC LIMIT 1", [.text(id)])
        guard let row else { return nil }
        var columns = RowReader(row, table: "audit_records")
        let sequence = try columns.integer("sequence")
        return AuditRecord.Head(sequence: sequence, hash: try columns.blob("hash") { AuditHash(stored: $0) })
    }
}
