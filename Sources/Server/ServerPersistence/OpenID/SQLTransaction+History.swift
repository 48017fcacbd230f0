import OpenID
import ServerCore

/// History that users see.
extension SQLTransaction {
    func history(of user: UserID) throws(ServerTransactionFailure) -> [HistoryEntry] {
        try rows(
            """
            SELECT user_id, kind, happened_at, client, device, chain_id, sequence FROM user_history
            WHERE user_id = $1 ORDER BY happened_at DESC, chain_id DESC, sequence DESC LIMIT $2
            """,
            [.blob(user.octets), .integer(Int64(HistoryEntry.limit))]
        ) { row throws(ServerPersistenceError) in
            var reader = RowReader(row, table: "user_history")
            return HistoryEntry(
                userID: try reader.blob("user_id") { UserID($0) },
                kind: try reader.text("kind") { HistoryEntry.Kind(rawValue: $0) },
                at: Timestamp(milliseconds: try reader.integer("happened_at")),
                client: try reader.optionalText("client"), device: try reader.optionalText("device"),
                chainID: try reader.text("chain_id"), sequence: try reader.integer("sequence"))
        }
    }

    func names(
        target: DispatchTargetID?, ceremony: CeremonyID?
    ) throws(ServerTransactionFailure) -> (device: String?, initiator: Initiator?) {
        var named: String?
        if let target { named = try deviceName(target) }
        guard let ceremony else { return (named, nil) }
        let asked = try row(
            """
            SELECT operations.initiator, dispatch_targets.name
            FROM operations LEFT JOIN dispatch_targets ON dispatch_targets.id = operations.dispatch_target_id
            WHERE operations.id = $1
            """,
            [.blob(ceremony.octets)]
        ) { row throws(ServerPersistenceError) -> (initiator: Initiator, device: String?) in
            var reader = RowReader(row, table: "operations")
            let initiator = try reader.text("initiator") { Initiator(stored: $0) }
            return (initiator, try reader.optionalText("name"))
        }
        return (named ?? asked?.device, asked?.initiator)
    }

    private func deviceName(_ target: DispatchTargetID) throws(ServerTransactionFailure) -> String? {
        try row("SELECT name FROM dispatch_targets WHERE id = $1", [.blob(target.octets)]) {
            row throws(ServerPersistenceError) in
            var reader = RowReader(row, table: "dispatch_targets")
            return try reader.text("name")
        }
    }

    /// The user may be gone when the record is read: then nothing is written.
    func insert(_ entry: HistoryEntry) throws(ServerTransactionFailure) {
        try enqueue(
            """
            INSERT INTO user_history (user_id, kind, happened_at, client, device, chain_id, sequence)
            SELECT id, CAST($1 AS TEXT), CAST($2 AS BIGINT), CAST($3 AS TEXT), CAST($4 AS TEXT), CAST($5 AS TEXT),
                CAST($6 AS BIGINT)
            FROM users WHERE id = $7
            ON CONFLICT DO NOTHING
            """,
            [
                .text(entry.kind.rawValue), .integer(entry.at.milliseconds), .text(optional: entry.client),
                .text(optional: entry.device), .text(entry.chainID), .integer(entry.sequence),
                .blob(entry.userID.octets),
            ])
        try enqueue(
            """
            DELETE FROM user_history WHERE user_id = $1 AND (chain_id, sequence) NOT IN (
                SELECT chain_id, sequence FROM user_history WHERE user_id = $1
                ORDER BY happened_at DESC, chain_id DESC, sequence DESC LIMIT $2)
            """,
            [.blob(entry.userID.octets), .integer(Int64(HistoryEntry.limit))])
    }
}
