import BackendAPI
import ServerCore
import UAF

/// The out-of-band operations in SQL.
struct SQLOperationRepository: OperationRepository {
    let store: SQLStore

    func begin(
        _ operation: OutOfBandCeremony, limits: OperationLimits, event: AuditEvent
    ) async throws(ServerError) -> BeginResult {
        let chain = store.chain
        return try await store.write { connection throws(ServerPersistenceError) in
            let beginning = OperationBeginning(
                writer: OperationWriter(connection: connection, chain: chain), limits: limits, now: event.at)
            // What was called off for an operation that then does not begin stays as it was.
            try connection.execute("SAVEPOINT beginning", [])
            let result = try beginning.begin(operation, event: event)
            if let reason = result.refusal {
                try connection.execute("ROLLBACK TO SAVEPOINT beginning", [])
                var refused = event.about(operation)
                refused.kind = .dispatchRefused
                refused.reason = reason
                try chain.append(refused, connection)
            }
            try connection.execute("RELEASE SAVEPOINT beginning", [])
            return result
        }
    }

    func dispatched(
        _ id: CeremonyID, _ dispatch: OutOfBandCeremony.Dispatch, event: AuditEvent
    ) async throws(ServerError) {
        _ = try await store.write(event) { connection throws(ServerPersistenceError) in
            try connection.execute(
                "UPDATE operations SET dispatcher = $1, dispatcher_response = $2 WHERE id = $3",
                [.text(dispatch.dispatcher.rawValue), .text(optional: dispatch.response), .blob(id.octets)]) > 0
        }
    }

    func cancel(
        _ id: CeremonyID, _ failure: CeremonyProgress.Failure, event: AuditEvent
    ) async throws(ServerError) {
        try await writing { writer throws(ServerPersistenceError) in
            guard let operation = try writer.operation(OperationRow.selectionByID, id.octets) else { return }
            try writer.cancel(operation, failure, event: event)
        }
    }

    func operation(_ id: CeremonyID) async throws(ServerError) -> OutOfBandCeremony? {
        try await operation(OperationRow.selectionByID, id.octets)
    }

    func operation(token: RedeemTokenHash) async throws(ServerError) -> OutOfBandCeremony? {
        try await operation(OperationRow.selectionByToken, token.octets)
    }

    private func operation(
        _ selection: String, _ argument: [UInt8]
    ) async throws(ServerError) -> OutOfBandCeremony? {
        try await store.read { connection throws(ServerPersistenceError) in
            try connection.row(selection, [.blob(argument)])
                .map { row throws(ServerPersistenceError) in try OperationRow.operation(row) }
        }
    }

    func standing(of id: CeremonyID) async throws(ServerError) -> OperationStanding? {
        try await store.read { connection throws(ServerPersistenceError) in
            try StandingReader(connection: connection).standing(of: id)
        }
    }

    func answered(_ id: CeremonyID) async throws(ServerError) -> AnsweredCeremony? {
        try await store.read { connection throws(ServerPersistenceError) in
            try StandingReader(connection: connection).answered(id)
        }
    }

    func redeem(
        _ id: CeremonyID, answerExpiresAt: Timestamp, removal: [CredentialID], event: AuditEvent
    ) async throws(ServerError) -> RedeemRefusal? {
        let chain = store.chain
        return try await store.write { connection throws(ServerPersistenceError) in
            try TokenRedemption(
                writer: OperationWriter(connection: connection, chain: chain), event: event
            ).redeem(id, answerExpiresAt: answerExpiresAt, removal: removal)
        }
    }

    func expire(at now: Timestamp, limit: Int) async throws(ServerError) -> Int {
        try await writing { writer throws(ServerPersistenceError) in
            let rows = try writer.connection.rows(
                OperationRow.selectionOverdue, [.integer(now.milliseconds), .integer(Int64(limit))])
            for row in rows { try writer.expire(try OperationRow.operation(row), at: now) }
            return rows.count
        }
    }

    func purge(endedBefore end: Timestamp, limit: Int) async throws(ServerError) -> Int {
        try await store.write { connection throws(ServerPersistenceError) in
            try OldestRows(
                table: "operations", column: "changed_at", condition: "status IN ('succeeded', 'failed')"
            ).delete(before: end, limit: limit, connection)
        }
    }

    func purgeIncidents(before time: Timestamp, limit: Int) async throws(ServerError) -> Int {
        try await store.write { connection throws(ServerPersistenceError) in
            try OldestRows(table: "user_incidents", column: "happened_at")
                .delete(before: time, limit: limit, connection)
        }
    }

    private func writing<Value: Sendable>(
        _ body: @escaping @Sendable (OperationWriter) throws(ServerPersistenceError) -> Value
    ) async throws(ServerError) -> Value {
        let chain = store.chain
        return try await store.write { connection throws(ServerPersistenceError) in
            try body(OperationWriter(connection: connection, chain: chain))
        }
    }
}

extension BeginResult {
    /// Reason for which the operation has not begun, in the words of the audit; nil when it has.
    fileprivate var refusal: String? {
        switch self {
        case .begun: nil
        case .userInactive: "userInactive"
        case .targetGone: "targetGone"
        case .busy: "anotherOperationIsPending"
        case .throttled: "askedTooOften"
        case .backingOff: "pushesUnanswered"
        case .quiet: "quietHours"
        }
    }
}
