import CSecp256k1

/// ECDSA on secp256k1 with libsecp256k1, since swift-crypto does not offer this curve.
///
/// The library refuses signatures with s in the upper half of its range, which FIDO UAF allows; they are normalised
/// before they are verified.
enum Secp256k1 {
    private static let pointByteCount = 65
    private static let signatureByteCount = 64
    private static let digestByteCount = 32

    /// Throws `notOnCurve` unless `point` (65 bytes: 04, X, Y) lies on the curve.
    static func requirePoint(_ point: ArraySlice<UInt8>) throws(VerificationKeyError) {
        guard parsed(point) != nil else { throw .notOnCurve }
    }

    /// Throws unless `signature` (64 bytes: r, s) was made over the 32-byte `digest` by the key of `point`.
    static func requireSignature(
        _ signature: [UInt8], over digest: [UInt8], by point: ArraySlice<UInt8>
    ) throws(SignatureRefusal) {
        guard signature.count == signatureByteCount, digest.count == digestByteCount else { throw .malformed }
        guard var key = parsed(point) else { throw .wrong }
        let context = unsafe signet_secp256k1_verification_context()
        var received = secp256k1_ecdsa_signature()
        guard unsafe secp256k1_ecdsa_signature_parse_compact(context, &received, signature) == 1 else { throw .wrong }
        var normalised = secp256k1_ecdsa_signature()
        _ = unsafe secp256k1_ecdsa_signature_normalize(context, &normalised, &received)
        guard unsafe secp256k1_ecdsa_verify(context, &normalised, digest, &key) == 1 else { throw .wrong }
    }

    /// The key of an uncompressed point, or nil when it is none or not on the curve.
    private static func parsed(_ point: ArraySlice<UInt8>) -> secp256k1_pubkey? {
        // The library also knows compressed and hybrid points; FIDO UAF does not.
        guard point.count == pointByteCount, point.first == 0x04 else { return nil }
        var key = secp256k1_pubkey()
        let result = unsafe secp256k1_ec_pubkey_parse(
            signet_secp256k1_verification_context(), &key, Array(point), point.count)
        return result == 1 ? key : nil
    }
}
