import ServerCore

/// Makes or finds the dispatch target of a registration, in the transaction that stores the credential.
struct TargetLinker {
    let connection: any SQLConnection
    let chain: AuditChain

    /// Returns the precondition that did not hold; the caller then undoes everything.
    func link(_ link: TargetLink, event: AuditEvent) throws(ServerPersistenceError) -> CommitRefusal? {
        let writer = TargetWriter(connection: connection, chain: chain)
        switch link {
        case .new(let target, let limit):
            guard try writer.count(of: target.userID) < limit else { return .tooManyTargets }
            try writer.insert(target.renamed(try writer.freeName(target.name, of: target.userID)))
            var record = AuditEvent(.targetCreated, at: event.at, userID: target.userID, client: event.client)
            record.targetID = target.id
            try chain.append(record, connection)
            return nil
        case .existing(let request):
            guard let owned = try writer.ownedTarget(request.targetID), owned.user.id == event.userID,
                owned.target.signatureKey.thumbprint == request.signatureKey
            else { return .targetGone }
            return try ReplayCache(connection: connection).remember(request) ? nil : .requestReplayed
        }
    }
}
