package import UAF

/// How far an out-of-band operation has come (`backend-http-api` 3).
package struct CeremonyProgress: Sendable, Hashable {
    /// Where an operation stands, by the words of the interface.
    package enum Status: String, Sendable, Hashable, CaseIterable {
        /// The token is made and has not come back.
        case tokenCreated
        /// The phone has the request for a registration.
        case clientRegistering
        /// The phone has the request for an authentication.
        case clientAuthenticating
        /// What was asked for is done and durable.
        case succeeded
        /// Nothing was granted, and nothing will be.
        case failed

        /// Whether nothing changes it any more.
        package var isFinal: Bool { self == .succeeded || self == .failed }
    }

    /// What became of the token, by the words of the interface.
    package enum TokenResult: String, Sendable, Hashable, CaseIterable {
        case tokenRedeemed
        case tokenTimedOut
    }

    /// Why an operation failed without an answer of the phone.
    package enum Failure: String, Sendable, Hashable, CaseIterable {
        /// The phone has not answered in time, or has never got the token.
        case timedOut
        /// The same initiator began another operation.
        case superseded
        /// The token could not be brought to the phone.
        case notDispatched
        /// The target it was addressed to was removed.
        case targetRemoved
        /// The request could not be made when the token came back.
        case refused
        /// The phone has answered, and the answer did not hold; or the user has declined.
        case answered
    }

    /// What the phone's answer came to.
    package struct Answer: Sendable, Hashable {
        /// The status code of the answer.
        package var statusCode: StatusCode
        /// The code of the authenticator, when the phone gave up.
        package var asmStatus: ASMStatus?
        /// The code of the client, when the phone gave up.
        package var clientErrorCode: ClientErrorCode?
        /// Whether the person says that somebody else began the operation.
        package var isReported: Bool
        /// What was registered or has signed.
        package var credentials: [ProvedCredential]
        /// The hash of the transaction that was confirmed; nil when there was none.
        package var transaction: TransactionHash?

        /// Describes the end of an answer.
        package init(
            statusCode: StatusCode, asmStatus: ASMStatus? = nil, clientErrorCode: ClientErrorCode? = nil,
            isReported: Bool = false, credentials: [ProvedCredential] = []
        ) {
            self.statusCode = statusCode
            self.asmStatus = asmStatus
            self.clientErrorCode = clientErrorCode
            self.isReported = isReported
            self.credentials = credentials
        }
    }

    /// Where the operation stands.
    package var status: Status
    /// When it came there.
    package var changedAt: Timestamp
    /// When it fails unless something happens before; of no meaning once it has ended.
    package var expiresAt: Timestamp
    /// What became of the token; nil while it is out.
    package var tokenResult: TokenResult?
    /// Why it failed.
    package var failure: Failure?
    /// What the phone's answer came to.
    package var answer: Answer?

    /// A new operation.
    package init(tokenCreatedAt time: Timestamp, expiresAt: Timestamp) {
        self.init(status: .tokenCreated, changedAt: time, expiresAt: expiresAt)
    }

    /// Takes what was stored.
    package init(
        status: Status, changedAt: Timestamp, expiresAt: Timestamp, tokenResult: TokenResult? = nil,
        failure: Failure? = nil, answer: Answer? = nil
    ) {
        self.status = status
        self.changedAt = changedAt
        self.expiresAt = expiresAt
        self.tokenResult = tokenResult
        self.failure = failure
        self.answer = answer
    }
}
