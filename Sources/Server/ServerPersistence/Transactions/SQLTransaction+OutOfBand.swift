import BackendAPI
import ServerCore
import UAF

/// Dispatch targets, and what devices have signed.
extension SQLTransaction {
    func target(_ id: DispatchTargetID) throws(ServerTransactionFailure) -> OwnedTarget? {
        try row(TargetRow.selectionByID + heldTargets, [.blob(id.octets)], as: TargetRow.ownedTarget)
    }

    func targets(
        of device: DeviceID, signingWith key: DeviceKeyThumbprint
    ) throws(ServerTransactionFailure) -> [OwnedTarget] {
        try rows(
            TargetRow.selectionByDevice + heldTargets, [.text(device.text), .blob(key.octets)],
            as: TargetRow.ownedTarget)
    }

    func target(named name: DeviceName, of user: UserID) throws(ServerTransactionFailure) -> DispatchTargetID? {
        try row(
            "SELECT id FROM dispatch_targets WHERE user_id = $1 AND name = $2" + kept,
            [.blob(user.octets), .text(name.text)]
        ) { row throws(ServerPersistenceError) in
            var reader = RowReader(row, table: "dispatch_targets")
            return try reader.blob("id") { DispatchTargetID($0) }
        }
    }

    func targetCount(of user: UserID) throws(ServerTransactionFailure) -> Int {
        try count(
            "SELECT COUNT(*) FROM dispatch_targets WHERE user_id = $1", [.blob(user.octets)], in: "dispatch_targets")
    }

    func insert(_ target: DispatchTarget) throws(ServerTransactionFailure) {
        try enqueue(TargetRow.insertion, TargetRow.arguments(target))
    }

    func update(_ id: DispatchTargetID, _ change: TargetChange) throws(ServerTransactionFailure) {
        try enqueue(TargetRow.update, TargetRow.arguments(change, of: id))
        if change.unsetsDestination {
            try enqueue("UPDATE dispatch_targets SET destination = NULL WHERE id = $1", [.blob(id.octets)])
        }
    }

    func removeTarget(_ id: DispatchTargetID) throws(ServerTransactionFailure) {
        try enqueue("DELETE FROM dispatch_targets WHERE id = $1", [.blob(id.octets)])
    }

    func remember(_ request: SignedRequest) throws(ServerTransactionFailure) -> Bool {
        try passed { () throws(ServerPersistenceError) in
            try ReplayCache(connection: connection).remember(request)
        }
    }
}

/// Out-of-band ceremonies, and the events of a user's.
extension SQLTransaction {
    func operation(_ id: CeremonyID) throws(ServerTransactionFailure) -> OutOfBandCeremony? {
        try row(OperationRow.selectionByID + held, [.blob(id.octets)], as: OperationRow.operation)
    }

    func operation(token: RedeemTokenHash) throws(ServerTransactionFailure) -> OutOfBandCeremony? {
        for selection in [OperationRow.selectionByToken, OperationRow.selectionByPreviousToken] {
            let found = try row(selection + held, [.blob(token.octets)], as: OperationRow.operation)
            if let found { return found }
        }
        return nil
    }

    func openOperations(of user: UserID) throws(ServerTransactionFailure) -> [OutOfBandCeremony] {
        try rows(OperationRow.selectionOpenByUser + held, [.blob(user.octets)], as: OperationRow.operation)
    }

    func openOperations(for target: DispatchTargetID) throws(ServerTransactionFailure) -> [OutOfBandCeremony] {
        try rows(OperationRow.selectionOpenByTarget + held, [.blob(target.octets)], as: OperationRow.operation)
    }

    func waitingOperations(
        for target: DispatchTargetID, after time: Timestamp
    ) throws(ServerTransactionFailure) -> [OutOfBandCeremony] {
        try rows(
            OperationRow.selectionWaitingByTarget + held, [.blob(target.octets), .integer(time.milliseconds)],
            as: OperationRow.operation)
    }

    func overdueOperations(
        at time: Timestamp, limit: Int
    ) throws(ServerTransactionFailure) -> [OutOfBandCeremony] {
        try rows(
            OperationRow.selectionOverdue + held, [.integer(time.milliseconds), .integer(Int64(limit))],
            as: OperationRow.operation)
    }

    func insert(_ operation: OutOfBandCeremony) throws(ServerTransactionFailure) {
        try enqueue(OperationRow.insertion, OperationRow.arguments(operation))
    }

    func renew(_ operation: OutOfBandCeremony) throws(ServerTransactionFailure) {
        try enqueue(OperationRow.renewal, OperationRow.renewalArguments(operation))
    }

    func advance(
        _ operation: OutOfBandCeremony, to progress: CeremonyProgress, answeredBy user: UserID?
    ) throws(ServerTransactionFailure) -> Bool {
        try execute(
            OperationRow.update,
            OperationRow.arguments(progress, from: operation.progress.status, of: operation, user: user)) == 1
    }

    // MARK: - Incidents

    func times(
        of incident: UserIncident, for user: UserID, after start: Timestamp
    ) throws(ServerTransactionFailure) -> [Timestamp] {
        try rows(
            """
            SELECT happened_at, occurrences FROM user_incidents WHERE user_id = $1 AND kind = $2 AND happened_at > $3
            ORDER BY happened_at
            """, [.blob(user.octets), .text(incident.rawValue), .integer(start.milliseconds)]
        ) { row throws(ServerPersistenceError) in
            var reader = RowReader(row, table: "user_incidents")
            let time = Timestamp(milliseconds: try reader.integer("happened_at"))
            let occurrences = try reader.integer("occurrences") { UInt16(exactly: $0) }
            return [Timestamp](repeating: time, count: Int(occurrences))
        }.flatMap { $0 }
    }

    func note(_ incident: UserIncident, for user: UserID, at time: Timestamp) throws(ServerTransactionFailure) {
        try enqueue(
            """
            INSERT INTO user_incidents (user_id, kind, happened_at, occurrences) VALUES ($1, $2, $3, 1)
            ON CONFLICT (user_id, kind, happened_at) DO UPDATE SET occurrences = user_incidents.occurrences + 1
            """,
            [.blob(user.octets), .text(incident.rawValue), .integer(time.milliseconds)])
    }

    func forget(_ incident: UserIncident, for user: UserID) throws(ServerTransactionFailure) {
        try enqueue(
            "DELETE FROM user_incidents WHERE user_id = $1 AND kind = $2",
            [.blob(user.octets), .text(incident.rawValue)])
    }
}
