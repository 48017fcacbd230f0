import ServerCore
import UAF

/// Ends ceremonies in SQL.
struct SQLUnitOfWork: UnitOfWork {
    let store: SQLStore

    func commit(_ outcome: CeremonyOutcome) async throws(ServerError) -> CommitResult {
        let chain = store.chain
        return try await store.write { connection throws(ServerPersistenceError) in
            if let refusal = try Self.write(outcome, OperationWriter(connection: connection, chain: chain)) {
                // A replay writes nothing at all, so that its COMMIT does not wait for the disk.
                if !refusal.isReplay { try chain.append(outcome.event.refused(refusal), connection) }
                return .refused(refusal)
            }
            if outcome.isRecorded { try chain.append(outcome.event, connection) }
            return .committed
        }
    }

    func purgeConsumption(before time: Timestamp, limit: Int) async throws(ServerError) -> Int {
        try await store.write { connection throws(ServerPersistenceError) in
            // The mark first and never backwards: whatever is forgotten stays refused.
            try connection.execute(
                "UPDATE consumption_watermark SET purged_before = $1 WHERE id = 1 AND purged_before < $1",
                [.integer(time.milliseconds)])
            return try OldestRows(table: "consumed_challenges", column: "expires_at")
                .delete(before: time, limit: limit, connection)
        }
    }

    private static func write(
        _ outcome: CeremonyOutcome, _ writer: OperationWriter
    ) throws(ServerPersistenceError) -> CommitRefusal? {
        let connection = writer.connection
        if let refusal = try consume(outcome, connection) { return refusal }
        let ender = outcome.operation.map {
            OperationEnder(writer: writer, ending: $0, now: outcome.event.at)
        }
        // Consumption stays when the rest is undone.
        try connection.execute("SAVEPOINT effect", [])
        let refusal = try effect(of: outcome, ender, writer)
        if refusal != nil { try connection.execute("ROLLBACK TO SAVEPOINT effect", []) }
        try connection.execute("RELEASE SAVEPOINT effect", [])
        if let refusal, outcome.inBand != nil {
            try connection.execute(
                AnswerRow.refusal,
                [.integer(Int64(refusal.statusCode.rawValue)), .blob(outcome.challenge.octets)])
        }
        try ender?.end(refusal?.statusCode ?? outcome.event.statusCode ?? .ok, refusal: refusal)
        return refusal
    }

    /// Writes the effect of the response, unless the out-of-band operation that it belongs to does not accept it.
    private static func effect(
        of outcome: CeremonyOutcome, _ ender: OperationEnder?, _ writer: OperationWriter
    ) throws(ServerPersistenceError) -> CommitRefusal? {
        let grants = if case .refuse = outcome.effect { false } else { true }
        if grants, let obstacle = try ender?.obstacle() { return obstacle }
        let linker = TargetLinker(connection: writer.connection, chain: writer.chain)
        if let target = outcome.target, let refusal = try linker.link(target, event: outcome.event) { return refusal }
        return try CeremonyEffectWriter(
            connection: writer.connection, now: outcome.event.at, evidence: outcome.evidence
        ).write(outcome.effect)
    }

    private static func consume(
        _ outcome: CeremonyOutcome, _ connection: any SQLConnection
    ) throws(ServerPersistenceError) -> CommitRefusal? {
        let expiry = outcome.challengeExpiresAt.milliseconds
        let mark = try connection.row(
            "SELECT 1 FROM consumption_watermark WHERE id = 1 AND purged_before <= $1", [.integer(expiry)])
        guard mark != nil else { return .challengeForgotten }
        let inserted = try connection.execute(AnswerRow.insertion, AnswerRow.insertion(outcome))
        return inserted == 1 ? nil : .challengeUsed
    }
}
