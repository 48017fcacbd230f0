package import UAF

/// Asks which authenticator it shall be.
package struct SelectionQuestion: Hashable, Sendable {
    /// Who registers or authenticates, and where.
    package let username: UserName
    package let server: ServerAddress
    /// What is shown.
    package let shown: [AAID]
    /// What the policy of the server accepts.
    package let accepted: [AAID]
    /// The text of a transaction.
    package let transactionText: [UInt8]?
    package let limit: QuestionLimit
}
