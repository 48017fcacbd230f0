/// Finds the uncompressed point in the two encodings of EC keys (FIDO Registry 1.1, 3.6.2).
///
/// Compressed and hybrid points are refused. A SubjectPublicKeyInfo with a named curve and an uncompressed point has
/// exactly one distinguished encoding, so everything before the point is compared with the bytes it must be.
enum EllipticCurvePoint {
    /// 04, X, Y.
    static let byteCount = 65
    private static let uncompressed: UInt8 = 0x04

    private static let p256Prefix: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48,
        0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]
    private static let secp256k1Prefix: [UInt8] = [
        0x30, 0x56, 0x30, 0x10, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x05, 0x2B, 0x81, 0x04,
        0x00, 0x0A, 0x03, 0x42, 0x00,
    ]

    /// The point of ALG_KEY_ECC_X962_RAW.
    static func raw(_ bytes: ArraySlice<UInt8>) throws(VerificationKeyError) -> ArraySlice<UInt8> {
        guard bytes.count == byteCount, bytes.first == uncompressed else { throw .malformed }
        return bytes
    }

    /// The point of ALG_KEY_ECC_X962_DER on the curve of `family`.
    static func subjectPublicKey(
        _ bytes: ArraySlice<UInt8>, family: SignatureScheme.Family
    ) throws(VerificationKeyError) -> ArraySlice<UInt8> {
        let (own, other) =
            family == .ecdsaSecp256k1 ? (secp256k1Prefix, p256Prefix) : (p256Prefix, secp256k1Prefix)
        guard bytes.starts(with: own) else {
            throw bytes.starts(with: other) ? .foreignCurve : .malformed
        }
        return try raw(bytes.dropFirst(own.count))
    }
}
