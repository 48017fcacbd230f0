import CSecp256k1
package import RelyingParty

/// Verifies ECDSA on secp256k1 with libsecp256k1.
///
/// The library refuses signatures with s in the upper half of its range, which FIDO UAF allows; they are normalised
/// before they are verified. Its context for verification is constant, so one value serves any number of tasks.
package struct Secp256k1Verifier: SignatureVerifier {
    private static let pointByteCount = 65
    private static let signatureByteCount = 64
    private static let digestByteCount = 32

    package init() {}

    package func requirePoint(_ point: ArraySlice<UInt8>) throws(VerificationKeyError) {
        guard parsed(point) != nil else { throw .notOnCurve }
    }

    package func requireSignature(
        _ signature: [UInt8], over digest: [UInt8], by point: ArraySlice<UInt8>
    ) throws(SignatureRefusal) {
        guard signature.count == Self.signatureByteCount, digest.count == Self.digestByteCount else {
            throw .malformed
        }
        guard var key = parsed(point) else { throw .wrong }
        let context = signet_secp256k1_verification_context()
        var received = secp256k1_ecdsa_signature()
        guard secp256k1_ecdsa_signature_parse_compact(context, &received, signature) == 1 else { throw .wrong }
        var normalised = secp256k1_ecdsa_signature()
        _ = secp256k1_ecdsa_signature_normalize(context, &normalised, &received)
        guard secp256k1_ecdsa_verify(context, &normalised, digest, &key) == 1 else { throw .wrong }
    }

    /// The key of an uncompressed point, or nil when it is none or not on the curve.
    private func parsed(_ point: ArraySlice<UInt8>) -> secp256k1_pubkey? {
        // The library also knows compressed and hybrid points; neither FIDO UAF nor this port does.
        guard point.count == Self.pointByteCount, point.first == 0x04 else { return nil }
        var key = secp256k1_pubkey()
        let result = secp256k1_ec_pubkey_parse(
            signet_secp256k1_verification_context(), &key, Array(point), point.count)
        return result == 1 ? key : nil
    }
}
