import ServerCore
import UAFService

/// Audit chain that is appended to: this instance's, or one that is pruned.
///
/// The hash of each record covers the one before it (``AuditRecord``).
struct AuditChain: Sendable {
    let id: String
    /// Operator who runs this process by hand; nil for a server.
    let actor: AuditActor?
    let key: AuditKeyHolder
    /// Request of an administrator whose records are appended; nil for everything else.
    var act: AdministrativeAct?

    /// Appends a record after the last one, as a member of a shared transaction at the end of that; and writes the
    /// receipt that names it.
    func append(
        _ event: AuditEvent, with receipt: ReceiptEvidence? = nil, _ connection: any SQLConnection
    ) throws(ServerPersistenceError) {
        let content = try Self.sealable(recorded(event), connection).json
        let entry = PendingAudit.Entry(
            chainID: id, recordedAt: event.at, event: content, code: key.key?.code(of: content), receipt: receipt)
        guard let pending = connection.pendingAudit else { return try Self.append([entry], to: id, connection) }
        pending.add(entry)
    }

    /// The event with the key of its user, which is read where the rule has not had the row of the user.
    private static func sealable(
        _ event: AuditEvent, _ connection: any SQLConnection
    ) throws(ServerPersistenceError) -> AuditEvent {
        guard let user = event.userWithoutKey else { return event }
        guard let row = try connection.row(SQLAuditLog.subjectQuery, [.blob(user.octets)]),
            case .key(let key)? = try SQLAuditLog.subject(row)
        else { return event }
        return event.sealed(with: key)
    }

    /// Content of a record whose event has the key of its user, or no user.
    func content(of event: AuditEvent) -> [UInt8] { recorded(event).json }

    /// The event, with the operator of this process or the administrator who asked.
    private func recorded(_ event: AuditEvent) -> AuditEvent {
        var event = event
        (event.actor, event.act) = (actor, act)
        if let act, event.client == ClientContext() { event.client = act.client }
        return event
    }

    /// Appends records to a chain after its last one, which is read in the same transaction.
    static func append(
        _ entries: [PendingAudit.Entry], to id: String, _ connection: any SQLConnection
    ) throws(ServerPersistenceError) {
        try connection.lock(.chain(id))
        var last = try head(of: id, connection)
        let records = entries.map { entry in
            let record = AuditRecord(chainID: id, after: last, event: entry.event)
            last = record.head
            return (record: record, entry: entry)
        }
        try connection.enqueue(insertion, each: records.map { arguments($0.record, $0.entry) })
        for (record, entry) in records {
            guard let receipt = entry.receipt else { continue }
            try StoredReceipt(receipt, chain: id, record: record.head).insert(connection)
        }
    }

    private static let insertion = """
        INSERT INTO audit_records (chain_id, sequence, recorded_at, event, previous_hash, hash, proof)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        """

    private static func arguments(_ record: AuditRecord, _ entry: PendingAudit.Entry) -> [SQLValue] {
        [
            .text(record.chainID), .integer(record.sequence), .integer(entry.recordedAt.milliseconds),
            .blob(record.event), .blob(record.previousHash.octets), .blob(record.hash.octets),
            .blob(optional: entry.code.map { AuditKey.proof(of: record.hash, $0) }),
        ]
    }

    private static func head(
        of id: String, _ connection: any SQLConnection
    ) throws(ServerPersistenceError) -> AuditRecord.Head? {
        let row = try connection.row(
            "SELECT sequence, hash FROM audit_records WHERE chain_id = $1 ORDER BY sequence DESC LIMIT 1", [.text(id)])
        guard let row else { return nil }
        var columns = RowReader(row, table: "audit_records")
        let sequence = try columns.integer("sequence")
        // A damaged last record, which a check names, keeps the server from no work.
        let hash = try? columns.blob("hash") { AuditHash(stored: $0) }
        return AuditRecord.Head(sequence: sequence, hash: hash ?? AuditRecord.origin)
    }
}
