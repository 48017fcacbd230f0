public import UAF

/// Status of a ceremony.
///
/// Members, limits and errors: `docs/web/http-api.md`.
///
/// ```swift
/// var status = try SessionStatus(body: try await ask(StatusRequest(sessionID: sessionID).body))
/// while !status.status.isFinal {
///     let next = StatusRequest(sessionID: sessionID, after: status.status, wait: 30_000)
///     status = try SessionStatus(body: try await ask(next.body))
/// }
/// ```
public struct SessionStatus: MessageBody {
    /// State of the ceremony; unknown states survive decoding.
    public struct Status: RawRepresentable, Hashable, Sendable {
        /// The spelling on the wire.
        public let rawValue: String

        /// Accepts spellings that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The token was made and handed to the delivery service, if one was asked.
        public static let tokenCreated = Status(rawValue: "tokenCreated")
        /// The registration request was given out; the answer is outstanding.
        public static let clientRegistering = Status(rawValue: "clientRegistering")
        /// The authentication request was given out; the answer is outstanding.
        public static let clientAuthenticating = Status(rawValue: "clientAuthenticating")
        /// The ceremony succeeded; this is final.
        public static let succeeded = Status(rawValue: "succeeded")
        /// The ceremony failed or ran out of time; this is final.
        public static let failed = Status(rawValue: "failed")
        /// There is no such ceremony, or none any more.
        public static let unknown = Status(rawValue: "unknown")

        /// Whether nothing can follow.
        public var isFinal: Bool { self == .succeeded || self == .failed || self == .unknown }
    }

    /// Fate of a token, once it is settled.
    public enum TokenResult: String, Hashable, Sendable {
        /// A phone redeemed it.
        case redeemed = "tokenRedeemed"
        /// It was not redeemed in time.
        case timedOut = "tokenTimedOut"
    }

    /// Dispatch and redemption of a ceremony's token.
    public struct TokenInformation: Hashable, Sendable {
        /// The external identifier of the dispatch target; nil when there was none.
        public let dispatchTargetExternalID: String?
        /// Fate of the token; nil while it waits.
        public let result: TokenResult?
        /// Response of the dispatcher; nil for a token that was not dispatched.
        public let dispatcherInformation: DispatcherInformation?

        /// Token information; members that are unknown are nil.
        public init(
            dispatchTargetExternalID: String? = nil, result: TokenResult? = nil,
            dispatcherInformation: DispatcherInformation? = nil
        ) {
            self.dispatchTargetExternalID = dispatchTargetExternalID
            self.result = result
            self.dispatcherInformation = dispatcherInformation
        }
    }

    /// A credential that answered.
    public struct UsedAuthenticator: Hashable, Sendable {
        /// The model and the key.
        public let credential: CredentialID
        /// The external identifier of the credential.
        public let externalID: String

        /// A credential with its external identifier.
        public init(credential: CredentialID, externalID: String) {
            self.credential = credential
            self.externalID = externalID
        }
    }

    /// Outcome of the operation on the phone, as far as it was reported.
    public struct Outcome: Hashable, Sendable {
        /// The external identifier of the user; nil while unknown.
        public let userID: String?
        /// UAF status code that the server gave to the response.
        public let uafStatus: StatusCode?
        /// Status reported by the authenticator-specific module.
        public let asmStatus: ASMStatus?
        /// Error code reported by the UAF client.
        public let clientErrorCode: ClientErrorCode?
        /// Whether the user reported that the request was not theirs.
        public let isReported: Bool
        /// Authenticators that answered, after success.
        public let authenticators: [UsedAuthenticator]

        /// Outcome; members that are unknown are nil.
        public init(
            userID: String? = nil, uafStatus: StatusCode? = nil, asmStatus: ASMStatus? = nil,
            clientErrorCode: ClientErrorCode? = nil, isReported: Bool = false,
            authenticators: [UsedAuthenticator] = []
        ) {
            self.userID = userID
            self.uafStatus = uafStatus
            self.asmStatus = asmStatus
            self.clientErrorCode = clientErrorCode
            self.isReported = isReported
            self.authenticators = authenticators
        }
    }

    /// The state.
    public let status: Status
    /// Time at which the state was reached, ISO 8601 in UTC with milliseconds.
    public let timestamp: String
    /// Outcome of the ceremony.
    public let outcome: Outcome
    /// Token of the ceremony; nil for ceremonies without one.
    public let tokenInformation: TokenInformation?
    /// Signed statement of the server about a success, a compact JWS by its published keys; nil for everything else.
    public let result: String?
    /// Receipt of a success, a compact JWS (docs/web/back-ends.md); nil where there is none.
    public private(set) var receipt: String?

    /// A state that was reached `milliseconds` after the start of 1970, in UTC.
    public init(
        _ status: Status, sinceMilliseconds milliseconds: Int64, outcome: Outcome = Outcome(),
        tokenInformation: TokenInformation? = nil, result: String? = nil
    ) {
        self.init(
            status: status, timestamp: CivilTime.text(millisecondsSince1970: milliseconds), outcome: outcome,
            tokenInformation: tokenInformation, result: result)
    }

    init(
        status: Status, timestamp: String, outcome: Outcome, tokenInformation: TokenInformation?, result: String?
    ) {
        self.result = result
        self.status = status
        self.timestamp = timestamp
        self.outcome = outcome
        self.tokenInformation = tokenInformation
    }

    package func carrying(receipt: String?) -> SessionStatus {
        var status = self
        status.receipt = receipt
        return status
    }
}
