package import ServerCore
import UAF

/// Query for the status of a ceremony, with what has become of user, credentials and target since.
package struct StatusQuery {
    let snapshot: any ServerSnapshot

    package init(snapshot: any ServerSnapshot) {
        self.snapshot = snapshot
    }

    /// The ceremony of this name out of band, ended or not; nil for another one, and for one that ended long ago.
    package func operation(_ id: CeremonyID) throws(ServerTransactionFailure) -> OperationStatus? {
        guard let operation = try snapshot.operation(id) else { return nil }
        let target = try operation.targetID.flatMap { id throws(ServerTransactionFailure) in
            try snapshot.target(id)?.target.externalID
        }
        return Self.status(
            of: OperationView(operation: operation, holder: try holder(operation.userID), targetExternalID: target))
    }

    /// The in-band ceremony of this name, which is known from its end on.
    package func answered(_ id: CeremonyID) throws(ServerTransactionFailure) -> AnsweredCeremony? {
        guard let ended = try snapshot.endedCeremony(id) else { return nil }
        let holder = try holder(ended.userID)
        return AnsweredCeremony(
            operation: ended.operation, progress: ended.progress, user: holder?.user,
            holds: Self.holds(ended.progress, of: holder))
    }

    private func holder(_ id: UserID?) throws(ServerTransactionFailure) -> CredentialHolder? {
        guard let id else { return nil }
        return try snapshot.holder(id)
    }

    static func status(of view: OperationView) -> OperationStatus {
        let operation = view.operation
        let targetRemains =
            operation.targetID == nil || operation.operation == .deregistration || view.targetExternalID != nil
        return OperationStatus(
            operation: operation, user: view.holder?.user, targetExternalID: view.targetExternalID,
            holds: holds(operation.progress, of: view.holder) && targetRemains)
    }

    /// Whether the user is active, no end of all logins has come after the response, and everything that has proved the
    /// user is still there and switched on.
    private static func holds(_ progress: CeremonyProgress, of holder: CredentialHolder?) -> Bool {
        let response = RequestAuthorization.Evidence(authenticatedAt: progress.changedAt)
        guard let holder, response.isTimely(for: holder.user) else { return false }
        return (progress.answer?.credentials ?? []).allSatisfy { proved in
            holder.credentials.contains {
                $0.registrationID == proved.registrationID && $0.status == .active
                    && $0.notBefore <= progress.changedAt
            }
        }
    }
}
