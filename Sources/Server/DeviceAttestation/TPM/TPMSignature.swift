import Crypto

/// Signature of a chip with ECDSA on P-256 (TPMT_SIGNATURE; TPM 2.0, part 2, section 11.3.4).
struct TPMSignature {
    private static let numberByteCount = 32
    private let signature: P256.Signing.ECDSASignature

    /// Reads a signature; throws `signatureKind` for another algorithm, or `malformed`.
    init(_ bytes: [UInt8]) throws(TPMRefusal) {
        var reader = TPMReader(bytes, as: .signature)
        let algorithm = try reader.readUInt16()
        let digest = try reader.readUInt16()
        guard algorithm == TPMNumber.ecdsa, digest == TPMNumber.sha256 else { throw .signatureKind }
        let r = try reader.readNumber(byteCount: Self.numberByteCount)
        let s = try reader.readNumber(byteCount: Self.numberByteCount)
        try reader.finish()
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: r + s) else {
            throw .malformed(.signature)
        }
        self.signature = signature
    }

    func verifies(_ bytes: [UInt8], with key: P256.Signing.PublicKey) -> Bool {
        key.isValidSignature(signature, for: bytes)
    }
}
