import Crypto

extension P256.Signing.ECDSASignature {
    /// The DER sequence (algorithm 0x0002) of a signature that a vault made: r and s, 32 bytes each.
    static func der(ofRaw signature: [UInt8]) throws -> [UInt8] {
        Array(try P256.Signing.ECDSASignature(rawRepresentation: signature).derRepresentation)
    }
}
