import RelyingParty
import UAF

extension CeremonyState {
    /// What a failure is called in the audit.
    var failureKind: AuditEvent.Kind {
        switch kind {
        case .registration: .registrationFailed
        case .authentication: transactions.isEmpty ? .authenticationFailed : .transactionFailed
        }
    }
}

extension OpenCeremony {
    /// The ending of an authentication that broke a rule; a second holder of a key raises an alarm of its own.
    func refusal(_ error: RelyingPartyError, credential: RegisteredCredential?) -> CeremonyOutcome {
        var kind = state.failureKind
        if case .signCounter(let suspect) = error.reason, suspect != nil { kind = .cloneSuspected }
        return refusal(
            error.status, reason: error.rule.description, kind, credential: credential,
            isSigned: kind == .cloneSuspected)
    }

    /// The credentials that have signed.
    func uses(in verified: VerifiedAuthentication) -> [CeremonyOutcome.CredentialUse] {
        let uses = verified.uses.compactMap { use in
            RegistrationID(use.registration.octets).map {
                CeremonyOutcome.CredentialUse(registrationID: $0, signCounter: use.data.signCounter)
            }
        }
        precondition(uses.count == verified.uses.count, "a registration reference holds the identity it was made of")
        return uses
    }

    /// The ending of an authentication that succeeded by `uses`.
    func success(
        _ verified: VerifiedAuthentication, _ uses: [CeremonyOutcome.CredentialUse], user: User, session: Session?
    ) -> CeremonyOutcome {
        var event = self.event(
            verified.confirmedTransaction == nil ? .authenticationSucceeded : .transactionSucceeded, user: user.id)
        event.username = user.name
        event.credential = verified.uses.first?.id
        event.statusCode = .ok
        event.transaction = verified.confirmedTransaction.flatMap { TransactionHash(stored: $0) }
        var outcome = self.outcome(.authenticate(uses, session: session), event)
        outcome.prove(
            zip(verified.uses, uses).map { ProvedCredential(id: $0.id, registrationID: $1.registrationID) })
        return outcome
    }
}
