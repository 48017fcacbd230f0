import ServerCore

/// Dispatch target of a registration: made or found in the transaction that stores the credential.
struct LinkTarget {
    let transaction: any ServerTransaction

    /// Makes or finds the target; `event` is the record of the registration.
    ///
    /// Returns the precondition that did not hold; the caller then undoes everything.
    func link(_ link: TargetLink, event: AuditEvent) throws(ServerTransactionFailure) -> CommitRefusal? {
        switch link {
        case .new(let target, let limit): try add(target, limit: limit, event)
        case .existing(let request): try find(request, of: event.userID)
        }
    }

    private func add(
        _ target: DispatchTarget, limit: Int, _ event: AuditEvent
    ) throws(ServerTransactionFailure) -> CommitRefusal? {
        // Two registrations of one user count one after the other.
        guard let user = try transaction.lockUser(target.userID) else { return .userInactive }
        guard try transaction.targetCount(of: target.userID) < limit else { return .tooManyTargets }
        let name = try ChangeTarget(in: transaction).freeName(target.name, of: target.userID)
        try transaction.insert(target.renamed(name))
        var record = AuditEvent(.targetCreated, at: event.at, client: event.client).about(user)
        record.targetID = target.id
        try transaction.append(record)
        return nil
    }

    private func find(
        _ request: SignedRequest, of user: UserID?
    ) throws(ServerTransactionFailure) -> CommitRefusal? {
        guard let owned = try transaction.target(request.targetID), owned.user.id == user,
            owned.target.signatureKey.thumbprint == request.signatureKey
        else { return .targetGone }
        return try transaction.remember(request) ? nil : .requestReplayed
    }
}
