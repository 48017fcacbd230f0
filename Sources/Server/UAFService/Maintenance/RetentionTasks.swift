import ServerCore

/// Tasks that forget what has been kept for long enough, piece by piece.
struct RetentionTasks: Sendable {
    /// Operations that are ended in one transaction.
    private static let expiryBatch = 100

    let settings: ServerSettings
    let unitOfWork: any UnitOfWork
    let transactions: any ServerTransactionRunner
    let operations: any OperationRepository
    let targets: any DispatchTargetRepository
    let sessions: SessionService
    let clockStore: any ClockStore
    let log: ServiceLog

    /// The tasks in their order, by name; each piece deals with `limit` rows at most.
    func pieces(at now: Timestamp, limit: Int) -> [(name: String, piece: BatchDeletion.Piece)] {
        let pieces: [(name: String, piece: BatchDeletion.Piece)] = [
            (
                "challenges",
                { () async throws(ServerError) in
                    try await unitOfWork.purgeConsumption(before: now - ServerSettings.consumptionMemory, limit: limit)
                }
            ),
            ("sessions", { () async throws(ServerError) in try await sessions.purge(limit: limit) }),
            ("expiry", { () async throws(ServerError) in try await endOverdueOperations(at: now) }),
            (
                "operations",
                { () async throws(ServerError) in
                    try await operations.purge(endedBefore: now - settings.outOfBand.retention, limit: limit)
                }
            ),
            (
                "incidents",
                { () async throws(ServerError) in
                    try await operations.purgeIncidents(before: now - settings.outOfBand.limits.window, limit: limit)
                }
            ),
            (
                "attested applications",
                { () async throws(ServerError) in try await forgetAppAttestKeys(at: now, limit: limit) }
            ),
            (
                "device requests",
                { () async throws(ServerError) in try await targets.purgeRequests(before: now, limit: limit) }
            ),
            ("login attempts", { () async throws(ServerError) in try await forgetAttempts(at: now, limit: limit) }),
            (
                "processes",
                { () async throws(ServerError) in
                    try await clockStore.forget(heardBefore: now - ProcessClock.memory, limit: limit)
                }
            ),
        ]
        return pieces + webSitePieces(at: now, limit: limit)
    }

    /// Removal of expired rows of the provider, CIBA, receipts and outgoing messages.
    private func webSitePieces(at now: Timestamp, limit: Int) -> [(name: String, piece: BatchDeletion.Piece)] {
        let receipts = now - settings.receipts.retention
        let messages = now - settings.deadLetterRetention
        return [
            piece("authorizations") { transaction throws(ServerTransactionFailure) in
                try transaction.removeAuthorizationRows(expiredBefore: now - Self.grace, limit: limit)
            },
            piece("backchannel") { transaction throws(ServerTransactionFailure) in
                try transaction.removeBackchannelRows(
                    before: now - ServerSettings.idempotentAnswerRetention, limit: limit)
            },
            piece("removed names") { transaction throws(ServerTransactionFailure) in
                try transaction.forgetNames(removedBefore: now - ServerSettings.removedNameMemory, limit: limit)
            },
            piece("removed methods") { transaction throws(ServerTransactionFailure) in
                try transaction.forgetRemovals(before: now - ServerSettings.removedMethodMemory, limit: limit)
            },
            piece("receipts") { transaction throws(ServerTransactionFailure) in
                try transaction.removeReceipts(confirmedBefore: receipts, limit: limit)
            },
            piece("dead messages") { transaction throws(ServerTransactionFailure) in
                try transaction.removeDeadMessages(madeBefore: messages, limit: limit)
            },
        ]
    }

    /// Time for which rows of the provider stay after their end: a code that comes again is known as used.
    private static let grace: Duration = .seconds(3_600)

    private func piece(
        _ name: String, _ body: @escaping ServerTransactionBody<Int>
    ) -> (name: String, piece: BatchDeletion.Piece) {
        (name, { () async throws(ServerError) in try await transactions.transaction(body) })
    }

    /// Forgets attempts by password, of opening sign-in pages, of recoveries, and of exports by people.
    private func forgetAttempts(at now: Timestamp, limit: Int) async throws(ServerError) -> Int {
        let end =
            now
            - max(
                settings.passwordLogin?.window ?? .zero, settings.signInPageLifetime, ServerSettings.attemptMemory)
        return try await transactions.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.removeAttempts(begunBefore: end, limit: limit)
        }
    }

    private func endOverdueOperations(at now: Timestamp) async throws(ServerError) -> Int {
        let overdue = try await transactions.transaction { transaction throws(ServerTransactionFailure) in
            try AdvanceOperation(in: transaction).expire(at: now, limit: Self.expiryBatch)
        }
        for operation in overdue where !operation.isNamed { log.countCode("timed out", from: nil) }
        return overdue.count
    }

    private func forgetAppAttestKeys(at now: Timestamp, limit: Int) async throws(ServerError) -> Int {
        try await transactions.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.forgetAppAttestKeys(unusedSince: now - AppAttestationSettings.keyRetention, limit: limit)
        }
    }
}
