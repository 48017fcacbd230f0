package import UAF

/// State of a request until it is answered.
///
/// The phone keeps it, sealed, as `serverData`; the server itself stores nothing when it makes a request. So clients
/// cannot fill a table by asking, and any process that has the keys can judge the answer.
package struct CeremonyState: Sendable, Hashable {
    /// Transactions of one request at most: the renderings of one content.
    package static let transactionLimit = 4

    package let kind: CeremonyKind
    package let id: CeremonyID
    package let challenge: ServerChallenge
    /// The user the request was made for; nil when any user may answer.
    package let userID: UserID?
    package let policyName: PolicyName
    package let policyHash: PolicyHash
    /// The application as the header names it.
    package let appID: AppID
    package let issuedAt: Timestamp
    /// Expiry: from then on a response comes too late.
    package let expiresAt: Timestamp
    /// Hashes of the contents to confirm; at most ``transactionLimit``.
    package let transactions: [TransactionHash]
    /// The cookie that the answer has to come with, if any.
    package let cookieHash: CookieHash?
    /// Whether the ceremony is out of band: the one stored under the same name ends with it.
    package let isOutOfBand: Bool
    /// The login on the strength of which the request was made; nil when it needed none.
    package let evidence: RequestAuthorization.Evidence?
    package let exchange: ServerBinding.ExchangeID?
    /// Rule of the policy, at the time of the request, for the evidence that chips hold new keys.
    package let keyAttestation: PolicyCatalog.KeyAttestation

    package init(
        kind: CeremonyKind, id: CeremonyID, challenge: ServerChallenge, userID: UserID?, policyName: PolicyName,
        policyHash: PolicyHash, appID: AppID, issuedAt: Timestamp, expiresAt: Timestamp,
        transactions: [TransactionHash] = [], cookieHash: CookieHash? = nil,
        isOutOfBand: Bool = false, evidence: RequestAuthorization.Evidence? = nil,
        exchange: ServerBinding.ExchangeID? = nil, keyAttestation: PolicyCatalog.KeyAttestation = .ignored
    ) {
        self.kind = kind
        self.id = id
        self.challenge = challenge
        self.userID = userID
        self.policyName = policyName
        self.policyHash = policyHash
        self.appID = appID
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.transactions = transactions
        self.cookieHash = cookieHash
        self.isOutOfBand = isOutOfBand
        self.evidence = evidence
        self.exchange = exchange
        self.keyAttestation = keyAttestation
    }
}

/// Purpose of a ceremony.
package enum CeremonyKind: UInt8, Sendable, Hashable, CaseIterable {
    case registration = 1
    case authentication = 2

    package var operation: OperationKind {
        switch self {
        case .registration: .registration
        case .authentication: .authentication
        }
    }
}

/// An in-band ceremony whose response was judged, as it was written with the response.
package struct EndedCeremony: Sendable, Hashable {
    /// Operation of the ceremony; nil for one that an earlier version of the server has written.
    package let operation: OperationKind?
    /// The user who answered; nil when that never became known.
    package let userID: UserID?
    package let progress: CeremonyProgress

    package init(operation: OperationKind?, userID: UserID?, progress: CeremonyProgress) {
        self.operation = operation
        self.userID = userID
        self.progress = progress
    }
}

/// An in-band ceremony whose response was judged, as the status service shows it.
///
/// Before the answer nothing is stored of such a ceremony: the phone keeps its sealed state.
package struct AnsweredCeremony: Sendable, Hashable {
    /// Operation of the ceremony; nil for one that an earlier version of the server has written.
    package let operation: OperationKind?
    package let progress: CeremonyProgress
    /// The user; nil when there is none any more.
    package let user: User?
    /// Whether user and credentials are as they were when it succeeded: locked or removed since, nothing is granted.
    package let holds: Bool

    package init(operation: OperationKind?, progress: CeremonyProgress, user: User?, holds: Bool) {
        self.operation = operation
        self.progress = progress
        self.user = user
        self.holds = holds
    }
}
