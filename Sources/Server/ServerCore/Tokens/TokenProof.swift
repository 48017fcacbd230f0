import UAF

/// What a user has proved, for the token that says so.
struct TokenProof: Sendable {
    let user: User
    let aaid: AAID?
    let ceremonyID: CeremonyID
    /// The hash of the transaction that was confirmed; nil for a plain authentication.
    let transaction: [UInt8]?
    /// The time of day of the authentication, for whoever reads the token.
    let authenticatedAt: Timestamp
    /// What the token rests on, in server time.
    let evidence: RequestAuthorization.Evidence
}
