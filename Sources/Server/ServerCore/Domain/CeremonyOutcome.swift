/// Outcome of a ceremony: the effect to write, and what must hold for it at the moment of writing.
package struct CeremonyOutcome: Sendable, Hashable {
    /// The effect of an answer.
    package enum Effect: Sendable, Hashable {
        /// The answer was refused; if it named a credential, that credential's count of failures grows.
        case refuse(RegistrationID?)
        /// Adds credentials of one user.
        ///
        /// The user must be active and then have at most `limit` credentials; none of the keys may be registered.
        case register([VerifiedCredential], of: UserID, limit: Int)
        /// Records the use of credentials and begins a session.
        ///
        /// Each credential and its owner must be active, and its counter below the one seen (or both 0).
        case authenticate([CredentialUse], session: Session?)
    }

    /// One credential that has signed.
    package struct CredentialUse: Sendable, Hashable {
        package let registrationID: RegistrationID
        package let signCounter: UInt32

        package init(registrationID: RegistrationID, signCounter: UInt32) {
            self.registrationID = registrationID
            self.signCounter = signCounter
        }
    }

    /// The challenge that is consumed, whatever else happens.
    package let challenge: ChallengeHash
    /// Expiry of the challenge; consumption is remembered for a while longer.
    package let challengeExpiresAt: Timestamp
    package let effect: Effect
    /// The record of the audit when everything holds; its time is the time of the answer.
    package let event: AuditEvent
    /// Whether a key of a user has signed what is judged, so that no other party can cause it.
    package var isSigned = true
    /// The out-of-band ceremony that ends with the answer; it must still wait for it.
    package var operation: OperationEnding?
    /// Ending of an in-band ceremony, for the status service; nil for an out-of-band ceremony, which has more to tell.
    package var inBand: OperationEnding?
    /// The login that must hold at the moment of writing: for a registration the one on the strength of which it was
    /// begun, nil when that needed none; for an authentication the one that begins, of which only the time counts.
    package var evidence: RequestAuthorization.Evidence?
    package var target: TargetLink?
    /// The application whose statement about the response holds; its key and counter are recorded.
    package var application: AttestedApplication?
    /// Evidence of a confirmation, written with it; nil where there is no receipt.
    package var receipt: ReceiptEvidence?

    package init(challenge: ChallengeHash, challengeExpiresAt: Timestamp, effect: Effect, event: AuditEvent) {
        self.challenge = challenge
        self.challengeExpiresAt = challengeExpiresAt
        self.effect = effect
        self.event = event
    }
}

extension CeremonyOutcome {
    /// Whether the ending has a separate audit record.
    ///
    /// An unsigned outcome is only counted, unless it ends a ceremony out of band that names a user or system: such a
    /// ceremony ends once.
    package var isRecorded: Bool { isSigned || operation?.isNamed == true }

    /// Time of the authentication; nothing that ends the logins of that time may have come in between.
    package var loginTime: Timestamp { evidence?.authenticatedAt ?? event.at }

    /// Names what was registered or has signed, for the status service.
    package mutating func prove(_ credentials: [ProvedCredential]) {
        operation?.credentials = credentials
        inBand?.credentials = credentials
    }
}
