package import UAF

/// Parameters for a signature.
package struct SignatureParameters: Hashable, Sendable {
    package let credential: CredentialID
    package let finalChallenge: FinalChallengeParameters
    /// The transaction that the user has seen.
    package let transaction: TransactionText?
}
