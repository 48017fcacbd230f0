package import BackendAPI
package import ServerCore

/// Order to have something confirmed on a phone: the one way from a web site to an out-of-band authentication.
///
/// The sign-in page, CIBA and the relying-party API place orders; no other code dispatches for a client.
package struct ConfirmationOrder: Sendable, Hashable {
    /// Way to the phone.
    package enum Channel: Sendable, Hashable {
        /// A QR code and link, for any user who scans it, or for the named user only.
        case code(User?)
        /// A push to a device of the user; nil: the one registered last.
        case push(User, DispatchTargetID?)

        var audited: AuditEvent.SignInChannel {
            switch self {
            case .code: .code
            case .push: .push
            }
        }
    }

    /// System that asks: a client by its name, or an access key.
    package let initiator: Initiator
    package let channel: Channel
    /// Whether a page asks for a visitor who has proved nothing: such an order yields to orders of systems.
    package var isForPage = false
    /// Way of the sign-in that ``text`` names; nil where the text is something else.
    package var signIn: AuditEvent.SignInChannel?
    /// Text that the phone shows and signs: 1 to 4,096 octets of UTF-8; nil: an authentication without one.
    package var text: String?
    /// Order whose code this one renews while it waits for a phone: it goes on under its name, and a phone that has just
    /// scanned the code of before gets through until that one's end.
    package var renewed: CeremonyID?
    /// Session of the initiator: only an order with the same one takes the place of an earlier QR code.
    package var session: String?
    /// Title of the notification, at most 64 characters; never the text itself.
    package var notification: String?
    /// Linking of phone and screen; nil: by the policy of the server.
    package var linking: ChannelLinkingMethod?
    /// Time in which the phone may take the order, 10 to 600 s; nil: by the settings.
    package var lifetime: Duration?
    /// Least assurance; weaker keys are not asked.
    package var assurance: Assurance?

    package init(initiator: Initiator, channel: Channel) {
        self.initiator = initiator
        self.channel = channel
    }
}

/// Order that has begun.
package struct BegunConfirmation: Sendable {
    package let id: CeremonyID
    /// Link for the phone; nil for a push.
    ///
    /// It holds the redeem token: it goes to the screen that asked and nowhere else.
    package let link: LinkForPhone?
    /// Digits for the screen; nil when nothing links the two.
    package let digits: ShownChannelLinking?
    package let expiresAt: Timestamp
    /// Time from which a page shows the next code, while this one may still be taken; nil for what is not renewed.
    package var renewsAt: Timestamp?

    /// Seconds from `now` until a page shows the next code; nil for what is not renewed.
    ///
    /// Rounded up: a page that renewed early would have a code that a phone may take and that the page does not follow.
    package func secondsToRenewal(at now: Timestamp) -> Int64? {
        renewsAt.map { max(0, ($0 - now + .milliseconds(999)).components.seconds) }
    }

    package init(id: CeremonyID, link: LinkForPhone?, digits: ShownChannelLinking?, expiresAt: Timestamp) {
        self.id = id
        self.link = link
        self.digits = digits
        self.expiresAt = expiresAt
    }
}

/// State of an order, for the code that has placed it.
package enum ConfirmationState: Sendable, Hashable {
    /// The phone has not taken it yet.
    case waiting
    /// The phone shows it.
    case shown
    case confirmed(Confirmation)
    /// The user has declined; `isReported` when they say that they did not ask.
    case denied(isReported: Bool)
    /// No phone answered in time, another order took its place, or the answer did not hold.
    case expired
    /// There is no such order of this initiator, or it ended long ago.
    case unknown

    package var isFinal: Bool { self != .waiting && self != .shown }
}

/// Confirmed order that still holds: user active, key and device not removed since.
package struct Confirmation: Sendable, Hashable {
    package let id: CeremonyID
    package let user: User
    /// Time of day of the answer.
    package let authenticatedAt: Timestamp
    package let evidence: RequestAuthorization.Evidence
    package let assurance: Assurance
    package let text: String?

    package init(
        id: CeremonyID, user: User, authenticatedAt: Timestamp, evidence: RequestAuthorization.Evidence,
        assurance: Assurance, text: String?
    ) {
        self.id = id
        self.user = user
        self.authenticatedAt = authenticatedAt
        self.evidence = evidence
        self.assurance = assurance
        self.text = text
    }
}

/// Rows that are written in the transaction that begins an order, for its ceremony; false when the order is not to begin after all.
package typealias ConfirmationCompanion =
    @Sendable (CeremonyID, any OpenIDTransaction) throws(ServerTransactionFailure) -> Bool

/// Service that places orders and follows them.
package protocol ConfirmationService: Sendable {
    /// Begins an order with what `companion` writes; throws ``ServerError/forbidden`` when that returns false.
    ///
    /// Throws ``ServerError/malformedRequest`` for a text that cannot be shown, ``ServerError/policyViolation`` when no
    /// device or key of the user will do, ``ServerError/tooManyOperations(retryAfter:)``,
    /// ``ServerError/quietHours(retryAfter:)``, ``ServerError/overloaded(retryAfter:)``,
    /// ``ServerError/undelivered(retryAfter:)``, ``ServerError/storageUnavailable``.
    func begin(
        _ order: ConfirmationOrder, client: ClientContext, with companion: @escaping ConfirmationCompanion
    ) async throws(ServerError) -> BegunConfirmation

    /// State of an order of this initiator, at once or when it is another than `known`, after at most `wait`.
    ///
    /// While too many wait it is answered at once. An unknown order counts as waiting until `end`, and as expired from
    /// then on, for clients that must not learn that it does not exist; with nil it is unknown. Throws
    /// ``ServerError/storageUnavailable``.
    func state(
        of id: CeremonyID, for initiator: Initiator, unlike known: ConfirmationState?, atMost wait: Duration,
        pretendedUntil end: Timestamp?
    ) async throws(ServerError) -> ConfirmationState

    /// State of an order of this initiator, as a transaction or snapshot finds it.
    func state(
        of id: CeremonyID, for initiator: Initiator, in snapshot: any ServerSnapshot
    ) throws(ServerTransactionFailure) -> ConfirmationState

    /// Calls an order off that has not ended; nothing happens to another one.
    func cancel(_ id: CeremonyID, for initiator: Initiator, client: ClientContext) async throws(ServerError)
}

extension ConfirmationService {
    /// Begins an order that no other rows go with.
    package func begin(
        _ order: ConfirmationOrder, client: ClientContext
    ) async throws(ServerError) -> BegunConfirmation {
        try await begin(order, client: client) { _, _ in true }
    }

    package func state(
        of id: CeremonyID, for initiator: Initiator, unlike known: ConfirmationState?, atMost wait: Duration
    ) async throws(ServerError) -> ConfirmationState {
        try await state(of: id, for: initiator, unlike: known, atMost: wait, pretendedUntil: nil)
    }
}
