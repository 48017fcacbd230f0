import Crypto

/// Public area of a key on P-256 (TPMT_PUBLIC; TPM 2.0, part 2, section 12.2.4).
struct TPMPublicArea: Hashable {
    /// Attributes of an object (TPMA_OBJECT; part 2, section 8.3).
    struct Attributes: OptionSet, Hashable {
        let rawValue: UInt32

        static let fixedTPM = Self(rawValue: 1 << 1)
        static let fixedParent = Self(rawValue: 1 << 4)
        static let sensitiveDataOrigin = Self(rawValue: 1 << 5)
        static let userWithAuth = Self(rawValue: 1 << 6)
        static let restricted = Self(rawValue: 1 << 16)
        static let decrypt = Self(rawValue: 1 << 17)
        static let sign = Self(rawValue: 1 << 18)
        /// May sign certificates as well (x509sign).
        static let certificates = Self(rawValue: 1 << 19)
    }

    private static let coordinateByteCount = 32
    /// TPMU_HA: the longest digest.
    static let digestByteLimit = 64

    let attributes: Attributes
    /// Digest of the policy that opens the key; empty when there is none.
    let policy: [UInt8]
    /// Whether the key signs with ECDSA and SHA-256 and nothing else.
    let isForECDSA: Bool
    /// The point, uncompressed (65 bytes, X9.63).
    let point: [UInt8]
    /// Name of the object: the number of its digest, and the digest of its public area (part 1, section 16).
    let name: [UInt8]

    /// Reads a public area; throws `malformed` for bytes that are none, and `kind` for another sort of key.
    init(_ bytes: [UInt8], otherwise kind: TPMRefusal) throws(TPMRefusal) {
        var reader = TPMReader(bytes, as: .publicArea)
        let type = try reader.readUInt16()
        let nameAlgorithm = try reader.readUInt16()
        guard type == TPMNumber.ecc, nameAlgorithm == TPMNumber.sha256 else { throw kind }
        attributes = Attributes(rawValue: try reader.readUInt32())
        policy = try reader.readBuffer(limit: Self.digestByteLimit)
        // A signing key has no symmetric algorithm; a storage key has one, with two more numbers.
        guard try reader.readUInt16() == TPMNumber.null else { throw kind }
        let scheme = try reader.readUInt16()
        let digest = scheme == TPMNumber.null ? TPMNumber.null : try reader.readUInt16()
        isForECDSA = scheme == TPMNumber.ecdsa && digest == TPMNumber.sha256
        guard scheme == TPMNumber.null || scheme == TPMNumber.ecdsa else { throw kind }
        let curve = try reader.readUInt16()
        let derivation = try reader.readUInt16()
        guard curve == TPMNumber.p256, derivation == TPMNumber.null else { throw kind }
        let x = try reader.readNumber(byteCount: Self.coordinateByteCount)
        let y = try reader.readNumber(byteCount: Self.coordinateByteCount)
        try reader.finish()
        point = [4] + x + y
        name = Self.name(of: bytes)
    }

    /// The name, with SHA-256, of the object or index that has a public area.
    static func name(of publicArea: [UInt8]) -> [UInt8] {
        [UInt8(TPMNumber.sha256 >> 8), UInt8(TPMNumber.sha256 & 0xFF)] + SHA256.hash(data: publicArea)
    }
}
