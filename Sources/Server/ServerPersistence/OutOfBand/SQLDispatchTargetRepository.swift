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

    func add(
        _ target: DispatchTarget, by grant: RequestAuthorization.Grant, limit: Int, event: AuditEvent
    ) async throws(ServerError) {
        let refusal: ServerError? = try await writing { writer throws(ServerPersistenceError) in
            guard target.userID == grant.user.id, try LoginWriter(connection: writer.connection).lock(grant) else {
                return .unauthorized
            }
            guard try !writer.isTaken(target.name, of: target.userID) else { return .targetNameInUse }
            guard try writer.count(of: target.userID) < limit else { return .tooManyTargets }
            try writer.insert(target)
            try writer.chain.append(event, writer.connection)
            return nil
        }
        if let refusal { throw refusal }
    }

    func change(_ id: DispatchTargetID, _ change: TargetChange, event: AuditEvent) async throws(ServerError) {
        let refusal: ServerError? = try await writing { writer throws(ServerPersistenceError) in
            guard let target = try writer.ownedTarget(id)?.target else { return .targetUnknown }
            if let name = change.name, try writer.isTaken(name, of: target.userID, except: id) {
                return .targetNameInUse
            }
            try writer.update(id, change)
            try writer.chain.append(event, writer.connection)
            return nil
        }
        if let refusal { throw refusal }
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

    func remove(
        _ id: DispatchTargetID, by grant: RequestAuthorization.Grant, event: AuditEvent
    ) async throws(ServerError) {
        let refusal: ServerError? = try await writing { writer throws(ServerPersistenceError) in
            guard try LoginWriter(connection: writer.connection).lock(grant) else { return .unauthorized }
            guard let owned = try writer.ownedTarget(id), owned.user.id == grant.user.id else { return .targetUnknown }
            try writer.remove(owned.target, event: event)
            return nil
        }
        if let refusal { throw refusal }
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

    func removeDevice(_ id: DispatchTargetID, event: AuditEvent) async throws(ServerError) -> [CredentialID] {
        let removed: [CredentialID]? = try await writing { writer throws(ServerPersistenceError) in
            guard let target = try writer.ownedTarget(id)?.target else { return nil }
            let removal = CredentialRemoval(connection: writer.connection, chain: writer.chain)
            let credentials = try writer.connection.rows(CredentialRow.selectionByTarget, [.blob(id.octets)])
                .map { row throws(ServerPersistenceError) in try CredentialRow.credential(row) }
            for credential in credentials {
                var record = event
                record.kind = .credentialRemoved
                record.credential = credential.id
                try removal.remove(credential, event: record)
            }
            try writer.remove(target, event: event)
            try LoginWriter(connection: writer.connection).endAll(of: target.userID, at: event.at)
            try writer.chain.append(event, writer.connection)
            return credentials.map(\.id)
        }
        guard let removed else { throw .targetUnknown }
        return removed
    }

    func purgeRequests(before time: Timestamp, limit: Int) async throws(ServerError) -> Int {
        try await store.write { connection throws(ServerPersistenceError) in
            try OldestRows(table: "device_requests", column: "remembered_until")
                .delete(before: time, limit: limit, connection)
        }
    }

    private func writing<Value: Sendable>(
        _ body: @escaping @Sendable (TargetWriter) throws(ServerPersistenceError) -> Value
    ) async throws(ServerError) -> Value {
        let chain = store.chain
        return try await store.write { connection throws(ServerPersistenceError) in
            try body(TargetWriter(connection: connection, chain: chain))
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
