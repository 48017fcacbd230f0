import OpenID
import ServerCore

/// Requests of CIBA.
extension SQLTransaction {
    func backchannelRequest(_ id: BackchannelRequestHash) throws(ServerTransactionFailure) -> BackchannelRequest? {
        try row(BackchannelRow.selectionByID + held, [.blob(id.octets)], as: BackchannelRow.request)
    }

    func backchannelRequest(of ceremony: CeremonyID) throws(ServerTransactionFailure) -> BackchannelRequest? {
        try row(BackchannelRow.selectionByCeremony + held, [.blob(ceremony.octets)], as: BackchannelRow.request)
    }

    func insert(_ request: BackchannelRequest) throws(ServerTransactionFailure) {
        try enqueue(BackchannelRow.insertion, BackchannelRow.insertion(request))
    }

    func advance(
        _ request: BackchannelRequest, from known: BackchannelRequest.Stage
    ) throws(ServerTransactionFailure) -> Bool {
        try execute(BackchannelRow.progress, BackchannelRow.progress(request, from: known)) == 1
    }

    func note(
        _ grant: GrantID, of request: BackchannelRequestHash
    ) throws(ServerTransactionFailure) {
        try enqueue(
            "UPDATE backchannel_requests SET grant_id = $1 WHERE id = $2", [.blob(grant.octets), .blob(request.octets)])
    }

    func grant(of request: BackchannelRequestHash) throws(ServerTransactionFailure) -> GrantID? {
        try row(
            "SELECT grant_id FROM backchannel_requests WHERE id = $1" + held, [.blob(request.octets)]
        ) { row throws(ServerPersistenceError) in
            var reader = RowReader(row, table: "backchannel_requests")
            return try reader.optionalBlob("grant_id") { GrantID($0) }
        } ?? nil
    }

    func removeBackchannelRows(before time: Timestamp, limit: Int) throws(ServerTransactionFailure) -> Int {
        try passed { () throws(ServerPersistenceError) in
            let requests = try OldestRows(table: "backchannel_requests", column: "expires_at")
                .delete(before: time, limit: limit, connection)
            let answers = try OldestRows(table: "idempotent_requests", column: "created_at")
                .delete(before: time, limit: limit, connection)
            return requests + answers
        }
    }
}

/// Receipts, and the public keys that verify them.
extension SQLTransaction {
    func receipt(of ceremony: CeremonyID) throws(ServerTransactionFailure) -> StoredReceipt? {
        try row(ReceiptRow.selection, [.blob(ceremony.octets)], as: ReceiptRow.receipt)
    }

    func removeReceipts(confirmedBefore time: Timestamp, limit: Int) throws(ServerTransactionFailure) -> Int {
        try passed { () throws(ServerPersistenceError) in
            try OldestRows(table: "receipts", column: "confirmed_at").delete(before: time, limit: limit, connection)
        }
    }

    func receiptKeys() throws(ServerTransactionFailure) -> [(id: ServerKeyID, jwk: [UInt8])] {
        try rows("SELECT id, jwk FROM receipt_keys ORDER BY created_at, id", []) { row throws(ServerPersistenceError) in
            var reader = RowReader(row, table: "receipt_keys")
            let id = try reader.text("id") { ServerKeyID(text: $0) }
            return (id: id, jwk: try reader.blob("jwk"))
        }
    }

    func insertReceiptKey(
        _ id: ServerKeyID, jwk: [UInt8], at now: Timestamp
    ) throws(ServerTransactionFailure) {
        try enqueue(
            "INSERT INTO receipt_keys (id, jwk, created_at) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING",
            [.text(id.text), .blob(jwk), .integer(now.milliseconds)])
    }
}

/// Requests of the relying-party API that may come again, and the devices that they name.
extension SQLTransaction {
    func target(externalID: TargetExternalID) throws(ServerTransactionFailure) -> OwnedTarget? {
        try row(
            TargetRow.selectionByExternalID + heldTargets, [.blob(externalID.octets)], as: TargetRow.ownedTarget)
    }

    func idempotentRequest(_ key: IdempotencyKeyHash) throws(ServerTransactionFailure) -> IdempotentRequest? {
        try row(
            """
            SELECT content, created_at, status, sealed_body FROM idempotent_requests
            WHERE id = $1 AND \(GivenOut.isOfGeneration("idempotent_requests"))
            """ + held, [.blob(key.octets)]
        ) { row throws(ServerPersistenceError) in
            var reader = RowReader(row, table: "idempotent_requests")
            let content = try reader.blob("content") { RequestContentHash(stored: $0) }
            let createdAt = Timestamp(milliseconds: try reader.integer("created_at"))
            let status = try reader.optionalInteger("status")
            let body = try reader.optionalBlob("sealed_body")
            var request = IdempotentRequest(key: key, content: content, createdAt: createdAt)
            if let status, let body {
                request.answer = IdempotentRequest.Answer(status: Int(clamping: status), sealedBody: body)
            }
            return request
        }
    }

    func insert(
        _ request: IdempotentRequest, replacingMadeBefore lost: Timestamp
    ) throws(ServerTransactionFailure) -> Bool {
        try execute(
            """
            INSERT INTO idempotent_requests (id, content, created_at, generation)
            VALUES ($1, $2, $3, \(GivenOut.generation))
            ON CONFLICT (id) DO UPDATE
            SET content = $2, created_at = $3, status = NULL, sealed_body = NULL, generation = excluded.generation
            WHERE (idempotent_requests.status IS NULL AND idempotent_requests.created_at < $4)
                OR idempotent_requests.generation <> excluded.generation
            """,
            [
                .blob(request.key.octets), .blob(request.content.octets), .integer(request.createdAt.milliseconds),
                .integer(lost.milliseconds),
            ]) == 1
    }

    func answer(
        _ key: IdempotencyKeyHash, with answer: IdempotentRequest.Answer?
    ) throws(ServerTransactionFailure) {
        guard let answer else {
            try enqueue("DELETE FROM idempotent_requests WHERE id = $1", [.blob(key.octets)])
            return
        }
        try enqueue(
            "UPDATE idempotent_requests SET status = $1, sealed_body = $2 WHERE id = $3",
            [.integer(Int64(answer.status)), .blob(answer.sealedBody), .blob(key.octets)])
    }
}

extension StoredReceipt {
    func insert(_ connection: any SQLConnection) throws(ServerPersistenceError) {
        try connection.enqueue(
            """
            INSERT INTO receipts
                (ceremony_id, user_id, initiator, claims, chain_id, sequence, record_hash, confirmed_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            """,
            [
                .blob(id.octets), .blob(userID.octets), .text(initiator.text), .blob(claims), .text(chain),
                .integer(record.sequence), .blob(record.hash.octets), .integer(confirmedAt.milliseconds),
            ])
    }
}

/// Columns of `receipts`.
enum ReceiptRow {
    static let columns = """
        receipts.ceremony_id, receipts.user_id, receipts.initiator, receipts.claims, receipts.chain_id,
        receipts.sequence, receipts.record_hash, receipts.confirmed_at
        """
    static let columnCount = columns.split(separator: ",").count

    static let selection = "SELECT \(columns) FROM receipts WHERE ceremony_id = $1"
    /// Finds the receipts of a user, oldest first, by all rows.
    static let selectionByUser = "SELECT \(columns) FROM receipts WHERE user_id = $1 ORDER BY confirmed_at"

    static func receipt(_ row: SQLRow) throws(ServerPersistenceError) -> StoredReceipt {
        var reader = RowReader(row, table: "receipts")
        return try receipt(&reader)
    }

    static func receipt(_ reader: inout RowReader) throws(ServerPersistenceError) -> StoredReceipt {
        StoredReceipt(
            id: try reader.blob("ceremony_id") { CeremonyID($0) },
            userID: try reader.blob("user_id") { UserID($0) },
            initiator: try reader.text("initiator") { Initiator(stored: $0) },
            claims: try reader.blob("claims"), chain: try reader.text("chain_id"),
            record: AuditRecord.Head(
                sequence: try reader.integer("sequence"),
                hash: try reader.blob("record_hash") { AuditHash(stored: $0) }),
            confirmedAt: Timestamp(milliseconds: try reader.integer("confirmed_at")))
    }
}
