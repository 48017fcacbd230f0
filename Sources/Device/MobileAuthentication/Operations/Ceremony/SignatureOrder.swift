package import UAF

/// What an authenticator needs to know to sign.
package struct SignatureOrder: Hashable, Sendable {
    /// Which key.
    package let credential: CredentialID
    /// What the assertion is bound to.
    package let finalChallenge: FinalChallengeParameters
    /// The transaction that the user has seen.
    package let transaction: TransactionText?
}
