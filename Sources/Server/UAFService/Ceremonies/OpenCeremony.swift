import BackendAPI
import RelyingParty
import ServerCore
import UAF

/// A ceremony whose sealed state came back with an answer.
struct OpenCeremony {
    let state: CeremonyState
    /// The text that the state was sealed in.
    let serverData: ServerData
    /// The policy of the configuration it was made under; nil when that is unknown.
    let policy: Policy?
    /// Demands of that policy beside UAF.
    let demands: PolicyDemands
    /// State of the challenge before the database is asked: it may turn out to be consumed.
    let challenge: ChallengeState
    let report: DeviceReport
    /// The out-of-band operation that the response ends; nil for an in-band ceremony.
    let operation: OutOfBandCeremony?
    /// The user the request was made for; nil for a decoy, a user who is gone, a request to anyone, and where no check
    /// has asked for it.
    let holder: CredentialHolder?
    let answeredAt: Timestamp

    var askedCredentials: [RegisteredCredential] {
        guard let holder else { return [] }
        return operation?.askedCredentials(of: holder) ?? holder.credentials
    }

    func sentRequest(under policy: Policy) -> SentRequest {
        SentRequest(
            appID: state.appID, serverData: serverData, challenge: state.challenge, policy: policy,
            exchange: state.exchange, isOutOfBand: state.isOutOfBand)
    }

    /// The response that a statement about the application is about; `message` is its UAF message as it was sent.
    ///
    /// `fits` says whether criteria of the policy are about the key of an answer by one key; nil for several keys.
    func statedResponse(
        _ message: [UInt8], under demands: ApplicationDemands, where fits: ((MatchCriteria) -> Bool)?
    ) -> AppAttestationVerification.Response {
        AppAttestationVerification.Response(
            message: message, statement: report.context.appAttestation, receivedAt: answeredAt,
            demands: demands,
            alternatives: fits.map { self.demands.demanded(by: policy ?? Policy(accepted: []), where: $0) } ?? [])
    }

    /// A record of the ceremony, of the time of its response.
    func event(_ kind: AuditEvent.Kind, user: UserID?) -> AuditEvent {
        var event = AuditEvent(kind, at: answeredAt, userID: user, client: report.client)
        if let holder, holder.user.id == user { event = event.about(holder.user) }
        event.ceremonyID = state.id
        event.targetID = operation?.targetID
        event.initiator = operation?.initiator
        return event
    }

    /// Whether the text that the phone shows, if it shows one, only names who asks.
    var isSignIn: Bool { state.transactions.isEmpty || operation?.signIn != nil }

    var channel: AuditEvent.SignInChannel {
        guard let operation else { return .application }
        return operation.signIn ?? (operation.isPush ? .push : .code)
    }

    var failureKind: AuditEvent.Kind {
        switch state.kind {
        case .registration: .registrationFailed
        case .authentication: isSignIn ? .authenticationFailed : .transactionFailed
        }
    }

    /// Refusal of the response to a ceremony that is open.
    struct Refusal {
        let status: StatusCode
        /// The rule that was broken, in the words of the audit.
        let reason: String
        let kind: AuditEvent.Kind
        /// The credential that the response named; its count of failures grows.
        var credential: RegisteredCredential?
        /// Whether the signature of a user's key was good.
        var isSigned = false
    }
}
