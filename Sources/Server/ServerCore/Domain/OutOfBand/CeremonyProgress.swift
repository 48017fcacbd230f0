package import UAF

/// State of an out-of-band ceremony.
package struct CeremonyProgress: Sendable, Hashable {
    /// Status of a ceremony, by the words of the interface.
    package enum Status: String, Sendable, Hashable, CaseIterable {
        case tokenCreated
        /// The phone has the request for a registration.
        case clientRegistering
        /// The phone has the request for an authentication.
        case clientAuthenticating
        /// The request is fulfilled, and durably so.
        case succeeded
        /// Nothing was granted, and nothing will be.
        case failed

        package var isFinal: Bool { self == .succeeded || self == .failed }
    }

    /// Result of the token, by the words of the interface.
    package enum TokenResult: String, Sendable, Hashable, CaseIterable {
        case tokenRedeemed
        case tokenTimedOut
    }

    /// Cause of a failure.
    package enum Failure: String, Sendable, Hashable, CaseIterable {
        /// The phone has not answered in time, or has never got the token.
        case timedOut
        /// The same initiator began another ceremony.
        case superseded
        case notDispatched
        case targetRemoved
        /// The request could not be made when the token was redeemed.
        case refused
        /// The phone has answered, and the answer did not hold; or the user has declined.
        case answered
    }

    /// Result of the phone's response.
    package struct Answer: Sendable, Hashable {
        package var statusCode: StatusCode
        /// The code of the authenticator, when the operation ended on the phone.
        package var asmStatus: ASMStatus?
        /// The code of the client, when the operation ended on the phone.
        package var clientErrorCode: ClientErrorCode?
        /// Whether the user reports that another person began the ceremony.
        package var isReported: Bool
        /// Credentials that were registered or have signed.
        package var credentials: [ProvedCredential]
        package var transaction: TransactionHash?

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

    package var status: Status
    package var changedAt: Timestamp
    /// Time at which it fails unless something happens before; of no meaning once it has ended.
    package var expiresAt: Timestamp
    /// Result of the token; nil until it is redeemed or ends otherwise.
    package var tokenResult: TokenResult?
    package var failure: Failure?
    package var answer: Answer?

    package init(tokenCreatedAt time: Timestamp, expiresAt: Timestamp) {
        self.init(status: .tokenCreated, changedAt: time, expiresAt: expiresAt)
    }

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
