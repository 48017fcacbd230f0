/// An authentication or transaction confirmation request that the server sent, and for whom.
package struct AuthenticationOffer: Hashable, Sendable {
    /// The request.
    package let request: SentRequest
    /// Who has to answer; nil when any user may, who is then known by the key.
    package let account: AccountReference?
    /// SHA-256 of every rendering of the transaction to confirm; empty when there is none.
    package let transactionHashes: [[UInt8]]
    /// When the request was made: credentials registered later do not count.
    package let issuedAt: Moment

    /// Describes a request.
    package init(
        request: SentRequest, account: AccountReference?, transactionHashes: [[UInt8]] = [], issuedAt: Moment
    ) {
        self.request = request
        self.account = account
        self.transactionHashes = transactionHashes
        self.issuedAt = issuedAt
    }
}
