/// An authentication assertion of the scheme `UAFV1TLV`.
///
/// FIDO UAF Authenticator Commands 1.1, 5.2.2 (`TAG_UAFV1_AUTH_ASSERTION`).
public struct AuthenticationAssertion: Hashable, Sendable {
    /// Largest assertion in bytes (FIDO UAF Protocol 1.1, 3.5.4).
    public static let byteLimit = 4096

    /// The signed part.
    public let signedData: SignedData
    /// The signature over it, as the declared algorithm spells it; not empty.
    public let signature: [UInt8]
    /// Extensions beside the signed part; anybody on the way can add or remove them.
    public let unsignedExtensions: [AssertionExtension]

    /// Puts an assertion together.
    public init(signedData: SignedData, signature: [UInt8], unsignedExtensions: [AssertionExtension] = []) {
        self.signedData = signedData
        self.signature = signature
        self.unsignedExtensions = unsignedExtensions
    }
}
