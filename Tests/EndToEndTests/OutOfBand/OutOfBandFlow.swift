import BackendAPI
import TestSupport
import UAF

/// One operation that a portal has begun, with all that its server has confirmed of it.
struct OutOfBandFlow {
    /// What it is for.
    let operation: OperationKind
    /// What a phone redeems.
    let token: String
    /// What the portal asks for.
    let sessionID: String
    /// How often the token was exchanged for its request.
    var redemptionCount = 0
    /// Whether an answer to a redemption was lost, which may have been the one with the request.
    var mayBeRedeemedUnheard = false
    /// The request that a phone got.
    var request: OperationRequest?
    /// What was sent in answer to it.
    var response: SentResponse?
    /// Whether another one has taken its place.
    var isAbandoned = false
    /// How far it is known to be; it never goes back.
    private(set) var stage = Stage.begun

    init(operation: OperationKind, token: String, sessionID: String) {
        self.operation = operation
        self.token = token
        self.sessionID = sessionID
    }

    /// How far an operation is.
    enum Stage: Int, Comparable {
        case begun
        case redeemed
        case ended

        static func < (one: Stage, other: Stage) -> Bool { one.rawValue < other.rawValue }

        /// The stage behind a status; nil for an operation that the server does not know.
        init?(_ status: SessionStatus.Status) {
            switch status {
            case .tokenCreated: self = .begun
            case .clientRegistering, .clientAuthenticating: self = .redeemed
            case .succeeded, .failed: self = .ended
            default: return nil
            }
        }
    }

    /// Whether the server has confirmed its success.
    var isAccepted: Bool { response.map { $0.acceptedCount > 0 } ?? false }

    /// Notes that it is at least so far.
    mutating func reach(_ stage: Stage) { self.stage = max(self.stage, stage) }
}
