import BackendAPI
import ServerCore
import UAF
import UAFService

/// Query for the state of an order: the ceremony behind it, with what has become of user, key and device since.
struct ConfirmationQuery {
    let snapshot: any ServerSnapshot
    /// System that asks; orders of others are unknown to it.
    let initiator: Initiator
    /// Server time.
    let now: Timestamp
    /// The time of day.
    let wall: Timestamp
    /// Time for which an ended order is known.
    let memory: Duration

    func state(of id: CeremonyID) throws(ServerTransactionFailure) -> ConfirmationState {
        guard let found = try StatusQuery(snapshot: snapshot).operation(id),
            found.operation.initiator == initiator, found.operation.operation == .authentication
        else { return .unknown }
        let progress = found.operation.machine(at: now).progress
        if progress.status.isFinal, now >= progress.changedAt + memory { return .unknown }
        switch progress.status {
        case .tokenCreated: return .waiting
        case .clientRegistering, .clientAuthenticating: return .shown
        case .failed: return Self.ended(progress.answer)
        case .succeeded:
            guard let confirmation = try confirmation(found, progress) else { return .expired }
            return .confirmed(confirmation)
        }
    }

    /// Only the phone's own statement is a refusal by the user; everything else has run out.
    private static func ended(_ answer: CeremonyProgress.Answer?) -> ConfirmationState {
        guard let answer else { return .expired }
        if answer.isReported { return .denied(isReported: true) }
        let isDeclined = answer.clientErrorCode == .userCancelled || answer.asmStatus == .userCancelled
        return isDeclined ? .denied(isReported: false) : .expired
    }

    /// The confirmation; nil when it does not hold any more, or a key has signed that was not to be asked.
    private func confirmation(
        _ found: OperationStatus, _ progress: CeremonyProgress
    ) throws(ServerTransactionFailure) -> Confirmation? {
        guard found.holds, let user = found.user, let answer = progress.answer, answer.statusCode == .ok,
            let assurance = try assurance(of: answer.credentials), assurance >= found.operation.leastAssurance ?? .key
        else { return nil }
        let evidence = RequestAuthorization.Evidence(
            authenticatedAt: progress.changedAt, registrations: answer.credentials.map(\.registrationID))
        return Confirmation(
            id: found.operation.id, user: user, authenticatedAt: wall - (now - progress.changedAt), evidence: evidence,
            assurance: assurance, text: answer.transaction.flatMap(found.operation.text))
    }

    /// Assurance of the weakest key that has signed; nil when one is gone, or none has signed.
    private func assurance(of credentials: [ProvedCredential]) throws(ServerTransactionFailure) -> Assurance? {
        var found: [Assurance] = []
        for proved in credentials {
            guard let credential = try snapshot.credential(registeredAs: proved.registrationID) else { return nil }
            found.append(Assurance(credential.protection))
        }
        return found.min()
    }
}
