package import ServerCore
import UAF

/// End of a ceremony: consumes the challenge, and writes the outcome as far as its preconditions hold.
///
/// A precondition that does not hold consumes the challenge and writes nothing else but the end of the operation and the
/// record of the refusal. A challenge that was consumed before changes nothing.
package struct EndCeremony {
    private let transaction: any ServerTransaction
    private let outcome: CeremonyOutcome

    package init(in transaction: any ServerTransaction, _ outcome: CeremonyOutcome) {
        self.transaction = transaction
        self.outcome = outcome
    }

    package func commit() throws(ServerTransactionFailure) -> CommitResult {
        if let refusal = try write() {
            // A replay writes nothing at all, so that its COMMIT does not wait for the disk.
            if !refusal.isReplay, outcome.isRecorded { try transaction.append(outcome.event.refused(refusal)) }
            return .refused(refusal)
        }
        guard outcome.isRecorded else { return .committed }
        if let receipt = outcome.receipt {
            try transaction.append(outcome.event, with: receipt)
        } else {
            try transaction.append(outcome.event)
        }
        return .committed
    }

    private func write() throws(ServerTransactionFailure) -> CommitRefusal? {
        guard try transaction.consumptionWatermark() <= outcome.challengeExpiresAt else { return .challengeForgotten }
        guard try transaction.consumeChallenge(of: outcome) else { return .challengeUsed }
        let operation = outcome.operation.map {
            EndOperation(transaction: transaction, ending: $0, now: outcome.event.at, isSigned: outcome.isSigned)
        }
        // Consumption stays when the rest is undone.
        let refusal = try transaction.undoingRefused { () throws(ServerTransactionFailure) -> CommitRefusal? in
            try writeEffect(ending: operation)
        }
        if let refusal, outcome.inBand != nil {
            try transaction.setStatus(
                refusal.statusCode, ofCeremonyWith: outcome.challenge, expiringAt: outcome.challengeExpiresAt)
        }
        try operation?.end(refusal?.statusCode ?? outcome.event.statusCode ?? .ok, refusal: refusal)
        return refusal
    }

    /// Writes the effect of the response, unless the out-of-band operation that it belongs to does not accept it.
    private func writeEffect(
        ending operation: EndOperation?
    ) throws(ServerTransactionFailure) -> CommitRefusal? {
        switch outcome.effect {
        case .refuse(let credential):
            if let refusal = try linkTarget() { return refusal }
            if let credential { try transaction.countFailure(of: credential) }
            return nil
        case .register(let credentials, let user, let limit):
            if let refusal = try operation?.obstacle() { return refusal }
            if let refusal = try linkTarget() { return refusal }
            if let refusal = try register(credentials, of: user, limit: limit, ending: operation) { return refusal }
            return try recordApplication(of: credentials.map(\.credential.registrationID))
        case .authenticate(let uses, let session):
            if let refusal = try operation?.obstacle() { return refusal }
            if let refusal = try linkTarget() { return refusal }
            for use in uses {
                if let refusal = try record(use) { return refusal }
            }
            if let refusal = try recordApplication(of: uses.map(\.registrationID)) { return refusal }
            if let session { try transaction.insert(session) }
            return nil
        }
    }

    private func linkTarget() throws(ServerTransactionFailure) -> CommitRefusal? {
        guard let link = outcome.target else { return nil }
        return try LinkTarget(transaction: transaction).link(link, event: outcome.event)
    }

    private func recordApplication(
        of credentials: [RegistrationID]
    ) throws(ServerTransactionFailure) -> CommitRefusal? {
        guard let application = outcome.application else { return nil }
        return try RecordAttestation(transaction: transaction, event: outcome.event)
            .record(application, of: credentials)
    }

    // MARK: - Registration

    private func register(
        _ credentials: [VerifiedCredential], of id: UserID, limit: Int, ending operation: EndOperation?
    ) throws(ServerTransactionFailure) -> CommitRefusal? {
        // Two registrations of one user count one after the other.
        guard let user = try transaction.lockUser(id), user.status == .active else { return .userInactive }
        if let evidence = outcome.evidence, try !transaction.holds(evidence, of: user) { return .loginEnded }
        if let refusal = try operation?.end(for: user) { return refusal }
        guard try transaction.credentialCount(of: id) + credentials.count <= limit else { return .tooManyCredentials }
        for credential in credentials {
            guard try transaction.insert(credential) else { return .credentialExists }
        }
        return nil
    }

    // MARK: - Authentication

    private func record(_ use: CeremonyOutcome.CredentialUse) throws(ServerTransactionFailure) -> CommitRefusal? {
        guard try !transaction.record(use, at: outcome.event.at, loggedInAt: outcome.loginTime) else { return nil }
        return try obstacle(to: use.registrationID)
    }

    /// Reason for which a use was not written; read in the same transaction.
    private func obstacle(to id: RegistrationID) throws(ServerTransactionFailure) -> CommitRefusal {
        guard let credential = try transaction.credential(registeredAs: id),
            let user = try transaction.user(credential.userID)
        else { return .credentialRemoved }
        if user.status != .active { return .userInactive }
        guard credential.status == .active else { return .credentialDisabled }
        return max(user.notBefore, credential.notBefore) > outcome.loginTime ? .loginEnded : .counterNotGreater
    }
}
