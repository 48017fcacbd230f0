/// The fixed-size facts in an assertion (`TAG_ASSERTION_INFO`), without the key format of a registration.
///
/// FIDO UAF Authenticator Commands 1.1, 5.2.1 and 5.2.2.
public struct AssertionInfo: Hashable, Sendable {
    /// Version of the authenticator.
    public let authenticatorVersion: UInt16
    /// What the user did.
    public let mode: AuthenticationMode
    /// Algorithm of the signature beside the signed data: of the attestation in a registration, else of the key.
    public let signatureAlgorithm: AuthenticationAlgorithm

    /// States the facts.
    public init(authenticatorVersion: UInt16, mode: AuthenticationMode, signatureAlgorithm: AuthenticationAlgorithm) {
        self.authenticatorVersion = authenticatorVersion
        self.mode = mode
        self.signatureAlgorithm = signatureAlgorithm
    }
}
