package import JOSE
package import UAF

/// Receipt of a confirmed operation: a JWS that says who has confirmed which text with which key, and can be checked
/// without the server, years later.
///
/// Header: `alg` ES256, `typ` `signet-receipt+jwt`, `kid`. Claims: docs/web/back-ends.md. There is no `exp`.
package struct Receipt: Sendable, Hashable {
    /// `typ` of the header (RFC 8725, 3.11).
    package static let type = "signet-receipt+jwt"
    /// `ver`.
    package static let version: Int64 = 2
    /// Longest compact form in octets.
    package static let byteLimit = 24_576

    /// `iss`: the server.
    package let issuer: String
    /// `aud`: the initiator, `key:…` or `client:…`.
    package let audience: String
    /// `sub` and `preferred_username`.
    package let subject: String
    package let username: String
    /// `sid`: the ceremony.
    package let ceremony: String
    /// `iat`: time of the server's decision in seconds since 1970.
    package let confirmedAt: Int64
    /// `txn.text`; nil for an authentication without one.
    ///
    /// Its SHA-256 is `txn.sha256`.
    package let text: String?
    /// `key.aaid`, `key.keyId`, `key.extId`, `key.alg`, `key.publicKey`, `key.protection`.
    package let credential: CredentialID
    package let registration: String
    package let algorithm: AuthenticationAlgorithm
    package let publicKey: EncodedPublicKey
    package let protection: String
    /// `assertion` and `fcParams` as the phone has sent them.
    package let assertion: [UInt8]
    package let finalChallenge: [UInt8]
    /// `audit.chain`, `audit.sequence`, `audit.hash`: the record that says the same.
    package let chain: String
    package let sequence: Int64
    package let recordHash: [UInt8]

    package init(
        _ content: ReceiptContent, issuer: String, audience: String, confirmedAt: Int64, chain: String,
        sequence: Int64, recordHash: [UInt8]
    ) {
        self.issuer = issuer
        self.audience = audience
        subject = content.subject
        username = content.username
        ceremony = content.ceremony
        self.confirmedAt = confirmedAt
        text = content.text
        credential = content.credential
        registration = content.registration
        algorithm = content.algorithm
        publicKey = content.publicKey
        protection = content.protection
        assertion = content.assertion
        finalChallenge = content.finalChallenge
        self.chain = chain
        self.sequence = sequence
        self.recordHash = recordHash
    }
}

/// Finding of a verification.
package enum ReceiptFinding: String, Sendable, Hashable, CaseIterable {
    /// The key set has the key, and its signature holds.
    case serverSignature
    /// The SHA-256 in the receipt and in the assertion is the text's.
    case text
    /// The hash of `fcParams` is that in the assertion, and they name the appID.
    case challenge
    /// The signature of the assertion holds under the public key of the receipt.
    case assertion
    /// The exported audit has the record at its place, and the record names ceremony and text.
    case audit
}

/// Verification of receipts without a network.
package protocol ReceiptVerification: Sendable {
    /// Verifies a compact receipt, or throws the first finding that does not hold.
    ///
    /// `audit` are lines of `signet-server audit export`; nil leaves ``ReceiptFinding/audit`` out.
    func verify(_ receipt: String, keys: JWKS, audit: [[UInt8]]?) throws(ReceiptError) -> Receipt
}

/// Refusal of a receipt.
package enum ReceiptError: Error, Sendable, Hashable {
    /// No compact JWS of this type and version, or a claim is missing or wrong.
    case malformed(claim: String?)
    case refused(ReceiptFinding)
    /// The algorithm of the authenticator is not known to this verifier, such as one on secp256k1.
    case unknownAlgorithm
}
