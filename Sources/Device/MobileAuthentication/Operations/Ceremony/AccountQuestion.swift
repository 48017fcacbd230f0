package import UAF

/// Asks which account it shall be.
package struct AccountQuestion: Hashable, Sendable {
    /// An account with the authenticators that the policy of the server accepts for it.
    package struct Candidate: Hashable, Sendable {
        package let username: UserName
        package let accepted: [AAID]
    }

    /// What is shown.
    package let shown: [AAID]
    package let candidates: [Candidate]
    /// The text of a transaction.
    package let transactionText: [UInt8]?
    package let limit: QuestionLimit
}
