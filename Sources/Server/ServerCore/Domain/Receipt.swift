package import UAF

/// Evidence of a confirmed operation, written with it in one transaction: the content of its receipt.
///
/// Every out-of-band authentication that succeeds has one, and every in-band one with a transaction. It holds what a
/// verifier needs years later, when key, user and credential may be gone.
package struct ReceiptEvidence: Sendable, Hashable {
    /// Longest assertion that is kept, in octets.
    package static let assertionLimit = 4_096

    /// Ceremony; names the receipt.
    package let id: CeremonyID
    package let userID: UserID
    /// External ID and name of the user, as they were then.
    package let subject: UserName
    package let username: UserName
    package let initiator: Initiator
    /// Text that was shown, as its octets; nil for an authentication without one.
    ///
    /// At most 4,096.
    package let text: [UInt8]?
    package let credential: CredentialID
    package let registrationID: RegistrationID
    package let algorithm: AuthenticationAlgorithm
    /// Public key in the form of the registration.
    package let publicKey: EncodedPublicKey
    package let protection: RegisteredCredential.Protection
    /// Assertion as it came (FIDO UAF Authenticator Commands 1.1, 5.2: TAG_UAFV1_AUTH_ASSERTION).
    package let assertion: [UInt8]
    /// `fcParams` as they came, of which the assertion holds the hash; at most 2,048 octets.
    package let finalChallenge: [UInt8]
    /// Time of day of the decision.
    package let confirmedAt: Timestamp

    package init(
        id: CeremonyID, user: User, initiator: Initiator, text: [UInt8]?, credential: RegisteredCredential,
        assertion: [UInt8], finalChallenge: [UInt8], confirmedAt: Timestamp
    ) {
        self.id = id
        userID = user.id
        subject = user.externalID
        username = user.name
        self.initiator = initiator
        self.text = text
        self.credential = credential.id
        registrationID = credential.registrationID
        algorithm = credential.algorithm
        publicKey = credential.publicKey
        protection = credential.protection
        self.assertion = assertion
        self.finalChallenge = finalChallenge
        self.confirmedAt = confirmedAt
    }
}

/// Row of a receipt: what it says, and the record of the audit that says the same.
package struct StoredReceipt: Sendable, Hashable {
    package let id: CeremonyID
    package let userID: UserID
    /// Initiator that may ask for it.
    package let initiator: Initiator
    /// Claims of the receipt as JSON (docs/web/back-ends.md), at most 16 KiB; without `iss`, `iat`, `aud` and the place in
    /// the audit.
    package let claims: [UInt8]
    /// Chain and record of the audit that was written in the same transaction.
    package let chain: String
    package let record: AuditRecord.Head
    package let confirmedAt: Timestamp

    package init(
        id: CeremonyID, userID: UserID, initiator: Initiator, claims: [UInt8], chain: String,
        record: AuditRecord.Head, confirmedAt: Timestamp
    ) {
        self.id = id
        self.userID = userID
        self.initiator = initiator
        self.claims = claims
        self.chain = chain
        self.record = record
        self.confirmedAt = confirmedAt
    }
}

/// Issuer of receipts.
package protocol ReceiptIssuer: Sendable {
    /// Receipt of a ceremony as compact JWS (`typ` `signet-receipt+jwt`), for the initiator `audience`; nil without one.
    ///
    /// Throws ``ServerError/signingFailed`` and ``ServerError/storageUnavailable``.
    func receipt(of ceremony: CeremonyID, for audience: Initiator) async throws(ServerError) -> String?

    /// Public keys of all receipts that were ever signed, oldest first, as a key set (RFC 7517, 5).
    var keySetDocument: [UInt8] { get async throws(ServerError) }
}
