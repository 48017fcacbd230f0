import Octets
package import UAF

/// The out-of-band ceremonies; they begin and move on by the rules ``BeginOperation``, ``RedeemToken``,
/// ``AdvanceOperation`` and, when a phone answers, ``EndCeremony``.
package protocol OperationRepository: Sendable {
    func dispatched(
        _ id: CeremonyID, _ dispatch: OutOfBandCeremony.Dispatch, event: AuditEvent
    ) async throws(ServerError)

    /// The ceremony of this name with what belongs to it; nil for one that is not out of band.
    func view(of id: CeremonyID) async throws(ServerError) -> OperationView?

    /// The ceremony of a token, or of the one before it, with what belongs to it.
    func view(token: RedeemTokenHash) async throws(ServerError) -> OperationView?

    /// Forgets some `limit` ceremonies that ended before `end`, and returns how many.
    func purge(endedBefore end: Timestamp, limit: Int) async throws(ServerError) -> Int

    /// Forgets some `limit` incidents before `time` that do not wait for a success, and returns how many.
    func purgeIncidents(before time: Timestamp, limit: Int) async throws(ServerError) -> Int
}

/// A ceremony with what belongs to it, all as it stood at one moment.
package struct OperationView: Sendable, Hashable {
    package let operation: OutOfBandCeremony
    /// The user it is about; nil while it names no user.
    package let holder: CredentialHolder?
    /// Nil without a target, and when the target was removed.
    package let targetExternalID: TargetExternalID?
    package let receipt: StoredReceipt?

    package init(
        operation: OutOfBandCeremony, holder: CredentialHolder?, targetExternalID: TargetExternalID?,
        receipt: StoredReceipt? = nil
    ) {
        self.operation = operation
        self.holder = holder
        self.targetExternalID = targetExternalID
        self.receipt = receipt
    }
}

/// A ceremony as the status service shows it.
package struct OperationStatus: Sendable, Hashable {
    package let operation: OutOfBandCeremony
    package let user: User?
    package let targetExternalID: TargetExternalID?
    /// Whether user and credentials are as they were when it succeeded: locked or removed since, nothing is granted.
    package let holds: Bool

    package init(
        operation: OutOfBandCeremony, user: User?, targetExternalID: TargetExternalID?, holds: Bool
    ) {
        self.operation = operation
        self.user = user
        self.targetExternalID = targetExternalID
        self.holds = holds
    }
}

/// Ending of a ceremony by the response of the phone; written in the transaction of the response.
package struct OperationEnding: Sendable, Hashable {
    package let id: CeremonyID
    package let operation: OperationKind
    package var digits: String? {
        get { sensitiveDigits?.reveal() }
        set { sensitiveDigits = newValue.map(Sensitive.init) }
    }
    private var sensitiveDigits: Sensitive<String>?
    /// The code of the authenticator, when the operation ended on the phone.
    package var asmStatus: ASMStatus?
    /// The code of the client, when the operation ended on the phone.
    package var clientErrorCode: ClientErrorCode?
    /// Whether the user reports that another person began it.
    package var isReported = false
    /// Proof of who caused the end.
    package var proof = EventProof.unsigned
    package var userID: UserID?
    /// Whether the ceremony names a user or system; see ``OutOfBandCeremony/isNamed``.
    package var isNamed = true
    /// Credentials that were registered or have signed, when the response holds.
    package var credentials: [ProvedCredential] = []
    /// The hash of the transaction that was confirmed, when the answer holds; nil when there was none.
    package var transaction: TransactionHash?
    /// Limits that wrong digits and reports count against.
    package var limits = OperationLimits()

    package init(id: CeremonyID, operation: OperationKind) {
        self.id = id
        self.operation = operation
    }
}

/// Limits on how often a user may be asked, over all ceremonies of all initiators (docs/security/threat-model.md, A-7
/// and A-8).
package struct OperationLimits: Sendable, Hashable {
    /// Wrong digits in a row that disable the key that has signed the last ones (NIST SP 800-63B-4, 3.1.3.2 and 3.2.2).
    package static let wrongDigitsInRow = 100

    package var window: Duration = .seconds(600)
    /// Messages pushed to a user in the window since the user last succeeded.
    package var pushes = 5
    package var backOff = PushThrottle()
    package var quietHours: QuietHours?
    /// Wrong digits under a signature of the user or the device in the window; new digits do not begin a new count.
    package var wrongDigits = 3
    /// Operations in the window that the user's device has reported as not begun by them; no more is pushed then.
    package var reports = 2
    /// Whether a user has one pending push, and ``pendingLinks`` links and codes, at most.
    package var hasOnePending = true
    /// Links and codes of one initiator that may be pending for one user.
    package var pendingLinks = 5

    package init() {}

    /// Incidents in the window from which on they stop what they count against.
    package func count(of incident: UserIncident) -> Int {
        switch incident {
        case .push, .strangersPush: pushes
        case .wrongDigits, .strangersWrongDigits: wrongDigits
        case .wrongDigitsInRow: Self.wrongDigitsInRow
        case .report, .strangersReport: reports
        }
    }
}
