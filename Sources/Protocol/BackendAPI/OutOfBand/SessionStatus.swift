public import UAF

/// How far an operation is (`backend-http-api` 3).
public struct SessionStatus: MessageBody {
    /// A state of the session; states we do not know survive reading.
    public struct Status: RawRepresentable, Hashable, Sendable {
        /// The spelling on the wire.
        public let rawValue: String

        /// Takes any spelling.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The token was made and handed to the delivery service, if one was asked.
        public static let tokenCreated = Status(rawValue: "tokenCreated")
        /// The registration request was given out; the answer is outstanding.
        public static let clientRegistering = Status(rawValue: "clientRegistering")
        /// The authentication request was given out; the answer is outstanding.
        public static let clientAuthenticating = Status(rawValue: "clientAuthenticating")
        /// The operation succeeded; this is final.
        public static let succeeded = Status(rawValue: "succeeded")
        /// The operation failed or ran out of time; this is final.
        public static let failed = Status(rawValue: "failed")
        /// There is no such session, or none any more.
        public static let unknown = Status(rawValue: "unknown")

        /// Whether nothing can follow.
        public var isFinal: Bool { self == .succeeded || self == .failed || self == .unknown }
    }

    /// What became of a token.
    public enum TokenResult: String, Hashable, Sendable {
        /// A phone redeemed it.
        case redeemed = "tokenRedeemed"
        /// Nobody redeemed it in time.
        case timedOut = "tokenTimedOut"
    }

    /// What is known of the token of a session.
    public struct TokenInformation: Hashable, Sendable {
        /// The external identifier of the dispatch target; nil when there was none.
        public let dispatchTargetExternalID: String?
        /// What became of the token; nil while it waits.
        public let result: TokenResult?
        /// What the dispatcher answered; nil for a token that was not sent.
        public let dispatcherInformation: DispatcherInformation?

        /// What is known, as far as it is.
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

    /// How the operation on the phone ended, as far as it was told.
    public struct Outcome: Hashable, Sendable {
        /// The external identifier of the user; nil while unknown.
        public let userID: String?
        /// How the server judged the UAF response.
        public let uafStatus: StatusCode?
        /// What the authenticator-specific module reported.
        public let asmStatus: ASMStatus?
        /// What the UAF client reported.
        public let clientErrorCode: ClientErrorCode?
        /// Whether the person said that the request was not theirs.
        public let isReported: Bool
        /// Who answered, after success.
        public let authenticators: [UsedAuthenticator]

        /// What is known, as far as it is.
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
    /// When the state was reached, ISO 8601 in UTC with milliseconds.
    public let timestamp: String
    /// How the operation ended.
    public let outcome: Outcome
    /// What is known of the token; nil for sessions without one.
    public let tokenInformation: TokenInformation?
    /// What the server states about a success, as a compact JWS by its published keys; nil for everything else.
    public let result: String?

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
}
