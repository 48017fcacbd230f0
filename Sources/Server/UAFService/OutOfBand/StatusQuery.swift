package import ServerCore
import UAF

/// Query for the status of a ceremony, with what has become of user, credentials and target since.
package struct StatusQuery {
    let snapshot: any ServerSnapshot

    package init(snapshot: any ServerSnapshot) {
        self.snapshot = snapshot
    }

    /// Findings about a ceremony.
    package enum Finding: Sendable, Hashable {
        /// A ceremony out of band, ended or not.
        case operation(OperationStatus)
        /// An in-band ceremony, which is known from its end on.
        case answered(AnsweredCeremony)
    }

    /// The ceremony of this name; nil for one that was never begun, that waits for its response in band, or that ended
    /// long ago.
    package func finding(of id: CeremonyID) throws(ServerTransactionFailure) -> Finding? {
        if let operation = try snapshot.operation(id) { return .operation(try status(of: operation)) }
        guard let ended = try snapshot.endedCeremony(id) else { return nil }
        return .answered(try answered(ended))
    }

    private func status(of operation: OutOfBandCeremony) throws(ServerTransactionFailure) -> OperationStatus {
        let user = try user(operation.userID)
        let target = try operation.targetID.flatMap { id throws(ServerTransactionFailure) in
            try snapshot.target(id)?.target
        }
        let targetRemains = operation.targetID == nil || operation.operation == .deregistration || target != nil
        let holds = try holds(operation.progress, of: user)
        return OperationStatus(
            operation: operation, user: user, targetExternalID: target?.externalID, holds: holds && targetRemains)
    }

    private func answered(_ ended: EndedCeremony) throws(ServerTransactionFailure) -> AnsweredCeremony {
        let user = try user(ended.userID)
        return AnsweredCeremony(
            operation: ended.operation, progress: ended.progress, user: user,
            holds: try holds(ended.progress, of: user))
    }

    private func user(_ id: UserID?) throws(ServerTransactionFailure) -> User? {
        guard let id else { return nil }
        return try snapshot.user(id)
    }

    /// Whether the user is active, no end of all logins has come after the response, and everything that has proved the
    /// user is still there and switched on.
    private func holds(_ progress: CeremonyProgress, of user: User?) throws(ServerTransactionFailure) -> Bool {
        guard let user, RequestAuthorization.Evidence(authenticatedAt: progress.changedAt).isTimely(for: user) else {
            return false
        }
        for proved in progress.answer?.credentials ?? [] {
            guard let credential = try snapshot.credential(registeredAs: proved.registrationID),
                credential.status == .active, credential.notBefore <= progress.changedAt
            else { return false }
        }
        return true
    }
}
