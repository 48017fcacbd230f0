/// A public key with the format it claims to be in; the bytes are not checked yet.
///
/// FIDO Registry of Predefined Values 1.1, 3.6.2.
public struct EncodedPublicKey: Hashable, Sendable {
    /// The claimed format.
    public let format: PublicKeyFormat
    /// The bytes; not empty.
    public let octets: [UInt8]

    /// Pairs a format with bytes.
    public init(format: PublicKeyFormat, octets: [UInt8]) {
        self.format = format
        self.octets = octets
    }
}
