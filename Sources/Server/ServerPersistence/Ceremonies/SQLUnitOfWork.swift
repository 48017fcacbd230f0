import ServerCore

/// Ends of ceremonies in SQL.
struct SQLUnitOfWork: UnitOfWork {
    let store: SQLStore

    func commit(_ outcome: CeremonyOutcome) async throws(ServerError) -> CommitResult {
        try await SQLTransactionRunner(store: store).transaction { transaction throws(ServerTransactionFailure) in
            try EndCeremony(in: transaction, outcome).commit()
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
}
