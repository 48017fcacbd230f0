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

    /// Token of a code that a page has renewed since.
    package struct PreviousToken: Sendable, Hashable {
        package let hash: RedeemTokenHash
        /// Time after which it is worth nothing.
        package let expiresAt: Timestamp

        package init(hash: RedeemTokenHash, expiresAt: Timestamp) {
            self.hash = hash
            self.expiresAt = expiresAt
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
    package var tokenHash: RedeemTokenHash
    /// The token that ``tokenHash`` took the place of; nil before a renewal.
    package var previousToken: PreviousToken?
    /// The context of the UAF request to make, as the initiator sent it.
    package let requestContext: String
    package var link: ChannelLink?
    /// Dispatch of the token; nil for a token that the initiator delivers itself.
    package let dispatch: Dispatch?
    /// The content of the payload, sealed by the server for the device that asks what is pending; empty: not listed.
    package let sealedContent: [UInt8]
    /// Time of the beginning; never before the last end of what was begun for the user.
    package var createdAt: Timestamp
    package var progress: CeremonyProgress
    /// Whether nothing proves who has begun it: a visitor of a sign-in page, or a request without authorization.
    ///
    /// Such a ceremony yields to the ceremonies of systems and users, and counts beside them.
    package var isByStranger = false
    /// Way of the sign-in that it is, although the phone shows a text; nil for a text that is something else, as a payment,
    /// and without a text.
    package var signIn: AuditEvent.SignInChannel?
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

    /// The machine as the holder of `token` meets it: the token of before has its own end.
    package func machine(at now: Timestamp, for token: RedeemTokenHash) -> CeremonyMachine {
        var progress = progress
        if progress.status == .tokenCreated, let previousToken, previousToken.hash == token {
            progress.expiresAt = previousToken.expiresAt
        }
        return CeremonyMachine(operation, progress, at: now)
    }

    /// Whether it is about a user, or a system or user answers for its begin.
    ///
    /// An unnamed ceremony costs a stranger nothing, so it has no records before a key has signed; it is counted.
    package var isNamed: Bool { userID != nil || !isByStranger }

    /// Whether both are unnamed, and `next` is a further code for the same screen.
    package func isRenewable(by next: OutOfBandCeremony) -> Bool {
        !isNamed && !next.isNamed && session != nil && session == next.session && initiator == next.initiator
            && operation == next.operation && requestContext == next.requestContext
    }

    /// The ceremony with the token, digits and end of `next`.
    ///
    /// A phone that has scanned the code of before gets through until that one's end, unless it shows the digits of that
    /// code for a comparison with the screen.
    package func renewed(by next: OutOfBandCeremony) -> OutOfBandCeremony {
        var renewed = self
        renewed.tokenHash = next.tokenHash
        renewed.previousToken =
            link?.mode == .compare ? nil : PreviousToken(hash: tokenHash, expiresAt: progress.expiresAt)
        renewed.link = next.link
        renewed.progress.expiresAt = next.progress.expiresAt
        return renewed
    }
}
