/// Public area of a key that signs, on P-256 or of RSA (TPMT_PUBLIC; TPM 2.0, part 2, section 12.2.4).
package struct TPMCredentialArea: Hashable {
    /// A key in the numbers of its kind.
    package enum Key: Hashable {
        /// The point, uncompressed (65 bytes, X9.63).
        case p256(point: [UInt8])
        /// Both numbers with the most significant byte first.
        case rsa(modulus: [UInt8], exponent: [UInt8])
    }

    private static let modulusByteLimit = 512
    /// An exponent of 0 stands for 65537.
    private static let usualExponent: UInt32 = 65_537

    package let key: Key
    /// Name of the object: the number of its digest, and the digest of its public area (part 1, section 16).
    package let name: [UInt8]

    /// Reads a public area; throws `malformed` for bytes that are none, and `keyKind` for another sort of key, or a name
    /// by another digest than SHA-256.
    package init(_ bytes: [UInt8]) throws(TPMRefusal) {
        var reader = TPMReader(bytes, as: .publicArea)
        guard try reader.readUInt16() == TPMNumber.rsa else {
            let area = try TPMPublicArea(bytes, otherwise: .keyKind)
            (key, name) = (.p256(point: area.point), area.name)
            return
        }
        guard try reader.readUInt16() == TPMNumber.sha256 else { throw .keyKind }
        // Attributes and policy: Web Authentication demands none.
        _ = try reader.readUInt32()
        _ = try reader.readBuffer(limit: TPMPublicArea.digestByteLimit)
        guard try reader.readUInt16() == TPMNumber.null else { throw .keyKind }
        let scheme = try reader.readUInt16()
        if scheme != TPMNumber.null {
            guard scheme == TPMNumber.rsassa, try reader.readUInt16() == TPMNumber.sha256 else { throw .keyKind }
        }
        let bitCount = try reader.readUInt16()
        let exponent = try reader.readUInt32()
        let modulus = try reader.readBuffer(limit: Self.modulusByteLimit)
        try reader.finish()
        guard modulus.count * 8 == Int(bitCount) else { throw .malformed(.publicArea) }
        let number = TPMNumber.bytes(exponent == 0 ? Self.usualExponent : exponent)
        key = .rsa(modulus: modulus, exponent: Array(number.drop { $0 == 0 }))
        name = TPMPublicArea.name(of: bytes)
    }
}
