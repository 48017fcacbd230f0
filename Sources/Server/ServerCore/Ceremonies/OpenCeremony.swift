import BackendAPI
import RelyingParty
import UAF

/// A ceremony whose sealed state came back with an answer.
struct OpenCeremony {
    let state: CeremonyState
    /// The text that the state was sealed in.
    let serverData: ServerData
    /// The policy of the configuration it was made under; nil when that is unknown.
    let policy: Policy?
    /// State of the challenge before the database is asked: it may turn out to be consumed.
    let challenge: ChallengeState
    let report: DeviceReport
    /// The out-of-band operation that the response ends; nil for an in-band ceremony.
    let operation: OutOfBandCeremony?
    /// The user the request was made for; nil for a decoy, a user who is gone, a request to anyone, and where nobody
    /// has asked for it.
    let holder: CredentialHolder?
    /// Time of receipt of the response.
    let answeredAt: Timestamp

    /// The request as it was sent, under the policy composed for the user.
    func sentRequest(under policy: Policy) -> SentRequest {
        SentRequest(appID: state.appID, serverData: serverData, challenge: state.challenge, policy: policy)
    }

    /// The ending in which `effect` is written and `event` recorded.
    func outcome(_ effect: CeremonyOutcome.Effect, _ event: AuditEvent) -> CeremonyOutcome {
        var outcome = CeremonyOutcome(
            challenge: ChallengeHash(of: state.challenge.octets), challengeExpiresAt: state.expiresAt, effect: effect,
            event: event)
        var ending = OperationEnding(id: state.id, operation: operation?.operation ?? state.kind.operation)
        ending.digits = report.context.linkingDigits
        ending.asmStatus = report.context.asmStatus
        ending.clientErrorCode = report.context.clientErrorCode
        ending.isReported = report.context.isReported
        ending.userID = event.userID
        ending.proof = proof(of: effect)
        ending.transaction = event.transaction
        if operation == nil { outcome.inBand = ending } else { outcome.operation = ending }
        return outcome
    }

    /// Proof of the sender: the keys that have signed, or the ability to open the payload.
    private func proof(of effect: CeremonyOutcome.Effect) -> EventProof {
        if case .authenticate(let uses, _) = effect, let use = uses.first { return .userKey(use.registrationID) }
        return operation?.redeemerProof ?? .unsigned
    }

    /// The ending of an answer that broke a rule: the challenge is consumed all the same.
    ///
    /// `isSigned` says that the signature of a user's key was good.
    func refusal(
        _ status: StatusCode, reason: String, _ kind: AuditEvent.Kind, credential: RegisteredCredential? = nil,
        isSigned: Bool = false
    ) -> CeremonyOutcome {
        var event = self.event(kind, user: state.userID ?? credential?.userID)
        event.credential = credential?.id
        event.statusCode = status
        event.reason = reason
        var outcome = outcome(.refuse(credential?.registrationID), event)
        outcome.isSigned = isSigned
        return outcome
    }

    func event(_ kind: AuditEvent.Kind, user: UserID?) -> AuditEvent {
        var event = AuditEvent(kind, at: answeredAt, userID: user, client: report.client)
        event.ceremonyID = state.id
        return event
    }
}

extension CeremonyState {
    /// Audit kind of a failure.
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
