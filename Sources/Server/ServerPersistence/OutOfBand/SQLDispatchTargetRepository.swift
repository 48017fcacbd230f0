import BackendAPI
import ServerCore
import UAF

/// The dispatch targets in SQL.
struct SQLDispatchTargetRepository: DispatchTargetRepository {
    let store: SQLStore

    func target(_ id: DispatchTargetID) async throws(ServerError) -> OwnedTarget? {
        try await store.read { connection throws(ServerPersistenceError) in
            try connection.row(TargetRow.selectionByID, [.blob(id.octets)])
                .map { row throws(ServerPersistenceError) in try TargetRow.ownedTarget(row) }
        }
    }

    func targets(of user: UserID) async throws(ServerError) -> [DispatchTarget] {
        try await store.read { connection throws(ServerPersistenceError) in
            try connection.rows(TargetRow.selectionByUser, [.blob(user.octets)])
                .map { row throws(ServerPersistenceError) in try TargetRow.target(row) }
        }
    }

    func unsetPush(
        _ destination: PushDestination, of id: DispatchTargetID, event: AuditEvent
    ) async throws(ServerError) {
        _ = try await store.write(event) { connection throws(ServerPersistenceError) in
            try connection.execute(
                "UPDATE dispatch_targets SET destination = NULL WHERE id = $1 AND destination = $2",
                [.blob(id.octets), .text(destination.text)]) > 0
        }
    }

    func perform(
        _ effect: DeviceEffect, by request: SignedRequest, event: AuditEvent
    ) async throws(ServerError) -> DeviceResult {
        let chain = store.chain
        return try await store.write { connection throws(ServerPersistenceError) in
            let result = try DeviceEffectWriter(connection: connection, chain: chain, request: request, event: event)
                .perform(effect)
            // Reading changes nothing: a device that asks every few seconds would fill the audit. So would whoever
            // sends a copy again and again.
            guard effect.changesSomething, result != .replayed else { return result }
            var record = event
            record.targetID = request.targetID
            record.reason = result.reason
            try chain.append(record, connection)
            return result
        }
    }

    func purgeRequests(before time: Timestamp, limit: Int) async throws(ServerError) -> Int {
        try await store.write { connection throws(ServerPersistenceError) in
            try OldestRows(table: "device_requests", column: "remembered_until")
                .delete(before: time, limit: limit, connection)
        }
    }
}

extension DeviceResult {
    /// The reason in the words of the audit; nil when everything was done.
    fileprivate var reason: String? {
        switch self {
        case .done, .accounts, .operations: nil
        case .replayed: "replayed"
        case .targetGone: "targetGone"
        case .userInactive: "userInactive"
        case .nameInUse: "nameInUse"
        case .notFound: "notFound"
        }
    }
}
