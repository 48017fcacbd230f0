import Crypto

/// Statement of a chip that it holds an object (TPMS_ATTEST with TPMS_CERTIFY_INFO; TPM 2.0, part 2, section 10.12).
package struct TPMAttest: Hashable {
    /// Bytes of a TPM2B_NAME or TPM2B_DATA at most: a digest with its number.
    private static let nameByteLimit = 66

    /// Bytes that the asker gave the chip to sign with it.
    let qualification: [UInt8]
    /// The name of the object.
    let name: [UInt8]

    /// Reads a certification; throws `notGenerated`, `wrongStatementType`, or `malformed`.
    package init(_ bytes: [UInt8]) throws(TPMRefusal) {
        var reader = TPMReader(bytes, as: .attest)
        guard try reader.readUInt32() == TPMNumber.generated else { throw .notGenerated }
        guard try reader.readUInt16() == TPMNumber.certification else { throw .wrongStatementType }
        // The qualified name of the signer: a digest over parents that only the chip knows.
        _ = try reader.readBuffer(limit: Self.nameByteLimit)
        qualification = try reader.readBuffer(limit: Self.nameByteLimit)
        // Clock, counts of resets and restarts, version of the firmware: blinded for keys outside the endorsement
        // hierarchy, and nothing here depends on them.
        _ = try reader.readUInt64()
        _ = try reader.readUInt32()
        _ = try reader.readUInt32()
        guard try reader.readUInt8() <= 1 else { throw .malformed(.attest) }
        _ = try reader.readUInt64()
        name = try reader.readBuffer(limit: Self.nameByteLimit)
        _ = try reader.readBuffer(limit: Self.nameByteLimit)
        try reader.finish()
    }
}

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

    /// Whether the key has signed these bytes.
    func verifies(_ bytes: [UInt8], with key: P256.Signing.PublicKey) -> Bool {
        key.isValidSignature(signature, for: bytes)
    }
}
