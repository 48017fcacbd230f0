/// The signed part of an authentication assertion.
///
/// FIDO UAF Authenticator Commands 1.1, 5.2.2 (`TAG_UAFV1_SIGNED_DATA`). It keeps the bytes it was read from or was
/// built into; those are what the signature covers.
public struct SignedData: Hashable, Sendable {
    /// The complete element (tag, length and value): the bytes to sign or to verify.
    public let octets: [UInt8]
    /// Which key on which model.
    public let credential: CredentialID
    /// Version, mode and algorithm of the signature.
    public let info: AssertionInfo
    /// Random bytes of the authenticator, at least 8.
    public let nonce: [UInt8]
    /// What the signature binds the answer to.
    public let hashes: BoundHashes
    /// Signatures made so far; 0 when the authenticator does not count.
    public let signCounter: UInt32
    /// Signed extensions, in order.
    public let extensions: [AssertionExtension]
    /// Pseudonyms of the user data that was verified.
    public let userVerification: UserVerificationRecord
}
