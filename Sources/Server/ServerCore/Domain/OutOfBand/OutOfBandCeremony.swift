package import BackendAPI
package import UAF

/// A ceremony that begins on one screen and is answered on a phone, as the server keeps it.
///
/// In-band ceremonies have no row: the phone keeps their sealed state. Here a system waits for the end, so there is a
/// row.
package struct OutOfBandCeremony: Sendable, Hashable {
    /// Dispatch of the token.
    package struct Dispatch: Sendable, Hashable {
        package let dispatcher: DispatcherName
        package let response: String?
        /// The notification as JSON, for the device that asks what is pending.
        package let notification: String?

        package init(dispatcher: DispatcherName, response: String? = nil, notification: String? = nil) {
            self.dispatcher = dispatcher
            self.response = response
            self.notification = notification
        }
    }

    /// Names the ceremony to the initiator, who asks the status service with it.
    package let id: CeremonyID
    package let operation: OperationKind
    /// The user; nil when the answer is to tell who it is.
    package let userID: UserID?
    /// The target that the token is for; nil when any phone may redeem it.
    package let targetID: DispatchTargetID?
    package let initiator: Initiator
    /// Hash of the token, by which its redemption finds the ceremony.
    package let tokenHash: RedeemTokenHash
    /// The context of the UAF request to make, as the initiator sent it.
    package let requestContext: String
    package let link: ChannelLink?
    /// Dispatch of the token; nil for a token that the initiator delivers itself.
    package let dispatch: Dispatch?
    /// The content of the payload, sealed by the server for the device that asks what is pending; empty: not listed.
    package let sealedContent: [UInt8]
    /// Time of the beginning; never before the last end of what was begun for the user.
    package var createdAt: Timestamp
    package let progress: CeremonyProgress
    /// Whether nothing proves who has begun it: a visitor of a sign-in page, or a request without authorization.
    ///
    /// Such a ceremony yields to the ceremonies of systems and users, and counts beside them.
    package var isByStranger = false
    package var isPush = false
    /// Whether its payload went out sealed, so that only the device of ``targetID`` can open it.
    package var isSealed = false
    /// The session of the initiating system that it belongs to; nil when the system has named none.
    package var session: InitiatorSessionHash?
    /// The login on the strength of which a user has begun it, which must hold until it is redeemed, and a registration
    /// until it is answered; nil for other initiators.
    package var evidence: RequestAuthorization.Evidence?

    package init(
        id: CeremonyID, operation: OperationKind, userID: UserID?, targetID: DispatchTargetID?, initiator: Initiator,
        tokenHash: RedeemTokenHash, requestContext: String, link: ChannelLink?, dispatch: Dispatch?,
        sealedContent: [UInt8],
        createdAt: Timestamp, progress: CeremonyProgress, evidence: RequestAuthorization.Evidence? = nil
    ) {
        self.id = id
        self.operation = operation
        self.userID = userID
        self.targetID = targetID
        self.initiator = initiator
        self.tokenHash = tokenHash
        self.requestContext = requestContext
        self.link = link
        self.dispatch = dispatch
        self.sealedContent = sealedContent
        self.createdAt = createdAt
        self.progress = progress
        self.evidence = evidence
    }

    /// The proof of what the redeemer of the token does without a signature.
    ///
    /// The initiator knows the token, too. A system with an access key keeps it to itself; an initiator without one may
    /// be any client.
    package var redeemerProof: EventProof {
        guard let targetID, isSealed else { return .unsigned }
        switch initiator {
        case .accessKey, .client, .administrator: return .device(targetID)
        case .anonymous, .user: return .unsigned
        }
    }

    package func machine(at now: Timestamp) -> CeremonyMachine { CeremonyMachine(operation, progress, at: now) }
}
