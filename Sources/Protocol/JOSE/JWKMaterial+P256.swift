extension JWK.Material {
    /// What a SubjectPublicKeyInfo of P-256 starts with, up to and with the mark of an uncompressed point.
    private static let p256Prefix: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48,
        0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]

    /// A point in the form of X9.63, uncompressed, 65 bytes.
    ///
    /// Whether it lies on the curve is found when a key is made of it. Throws ``JOSEError/malformedKey``.
    public init(p256Point point: [UInt8]) throws(JOSEError) {
        guard point.count == 65, point.first == 0x04 else { throw .malformedKey }
        self = .p256(x: Array(point[1...32]), y: Array(point[33...]))
    }

    /// A key as key vaults give it: SubjectPublicKeyInfo (RFC 5480, 2), 91 bytes, in DER and with the named curve only.
    ///
    /// Throws ``JOSEError/malformedKey``.
    public init(p256SubjectPublicKeyInfo octets: [UInt8]) throws(JOSEError) {
        guard octets.starts(with: Self.p256Prefix) else { throw .malformedKey }
        try self.init(p256Point: Array(octets[Self.p256Prefix.count...]))
    }

    /// The point in the form of X9.63, uncompressed, 65 bytes; nil for an RSA key.
    public var p256Point: [UInt8]? {
        guard case .p256(let x, let y) = self else { return nil }
        return [0x04] + x + y
    }
}
