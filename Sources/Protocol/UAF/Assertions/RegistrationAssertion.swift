/// A registration assertion of the scheme `UAFV1TLV`.
///
/// FIDO UAF Authenticator Commands 1.1, 5.2.1 (`TAG_UAFV1_REG_ASSERTION`).
public struct RegistrationAssertion: Hashable, Sendable {
    /// Largest assertion in bytes (FIDO UAF Protocol 1.1, 3.4.2).
    public static let byteLimit = 4096

    /// The signed part.
    public let keyRegistrationData: KeyRegistrationData
    /// The signature over it.
    public let attestation: Attestation
    /// Extensions beside the signed part; anybody on the way can add or remove them.
    public let unsignedExtensions: [AssertionExtension]

    /// Puts an assertion together.
    public init(
        keyRegistrationData: KeyRegistrationData, attestation: Attestation,
        unsignedExtensions: [AssertionExtension] = []
    ) {
        self.keyRegistrationData = keyRegistrationData
        self.attestation = attestation
        self.unsignedExtensions = unsignedExtensions
    }
}
