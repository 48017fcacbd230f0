package import UAF

/// Parameters for a signature.
package struct SignatureParameters: Hashable, Sendable {
    /// Key to sign with.
    package let credential: CredentialID
    /// Final challenge that the assertion is bound to.
    package let finalChallenge: FinalChallengeParameters
    /// The transaction that the user has seen.
    package let transaction: TransactionText?
}
