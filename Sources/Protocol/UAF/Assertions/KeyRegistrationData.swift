/// The signed part of a registration assertion.
///
/// FIDO UAF Authenticator Commands 1.1, 5.2.1 (`TAG_UAFV1_KRD`). It keeps the bytes it was read from or was built into;
/// those are what the attestation signature covers.
public struct KeyRegistrationData: Hashable, Sendable {
    /// The complete element (tag, length and value): the bytes to sign or to verify.
    public let octets: [UInt8]
    /// Which key on which model.
    public let credential: CredentialID
    /// Version, mode and algorithm of the attestation signature.
    public let info: AssertionInfo
    /// Hash of the `fcParams` text.
    public let finalChallengeHash: [UInt8]
    /// Counters of the authenticator.
    public let counters: Counters
    /// The new public key.
    public let publicKey: EncodedPublicKey
    /// Signed extensions, in order.
    public let extensions: [AssertionExtension]
    /// Pseudonyms of the user data that was verified.
    public let userVerification: UserVerificationRecord
}
