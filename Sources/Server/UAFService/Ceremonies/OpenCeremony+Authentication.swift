import RelyingParty
import ServerCore
import UAF

extension OpenCeremony {
    /// The credentials that have signed; throws status 1500 for a reference that is none of a registration.
    func uses(in verified: VerifiedAuthentication) throws(ServerError) -> [CeremonyOutcome.CredentialUse] {
        try verified.uses.map { use throws(ServerError) in
            guard let id = RegistrationID(use.registration.octets) else { throw .refused(.internalServerError) }
            return CeremonyOutcome.CredentialUse(registrationID: id, signCounter: use.data.signCounter)
        }
    }

    func success(
        _ verified: VerifiedAuthentication, _ uses: [CeremonyOutcome.CredentialUse], on target: DispatchTargetID?,
        user: User, session: Session?
    ) -> CeremonyOutcome {
        var event = self.event(
            verified.confirmedTransaction == nil || isSignIn ? .signedIn : .transactionSucceeded, user: user.id)
        event = event.about(user)
        if event.kind == .signedIn { event.channel = channel }
        event.credential = verified.uses.first?.id
        event.targetID = target ?? event.targetID
        event.statusCode = .ok
        event.transaction = verified.confirmedTransaction.flatMap { TransactionHash(stored: $0) }
        var outcome = CeremonyOutcome(ending: self, effect: .authenticate(uses, session: session), event: event)
        outcome.prove(
            zip(verified.uses, uses).map { ProvedCredential(id: $0.id, registrationID: $1.registrationID) })
        return outcome
    }
}

extension OpenCeremony.Refusal {
    /// Refusal of an authentication that broke a rule; a second holder of a key raises a separate alarm.
    init(_ error: RelyingPartyError, in ceremony: OpenCeremony, credential: RegisteredCredential?) {
        var isClone = false
        if case .signCounter(let suspect) = error.reason, suspect != nil { isClone = true }
        self.init(
            status: error.status, reason: error.rule.description,
            kind: isClone ? .cloneSuspected : ceremony.failureKind,
            credential: credential, isSigned: isClone)
    }
}
