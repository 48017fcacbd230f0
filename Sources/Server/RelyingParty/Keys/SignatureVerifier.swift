/// Verifies ECDSA on a curve that the standard crypto library of the platform does not offer: secp256k1.
///
/// The port keeps the library behind it out of this target; `Secp256k1` implements it.
package protocol SignatureVerifier: Sendable {
    /// Throws `notOnCurve` unless `point` (65 bytes: 04, X, Y) lies on the curve.
    func requirePoint(_ point: ArraySlice<UInt8>) throws(VerificationKeyError)

    /// Throws unless `signature` (64 bytes: r, s) was made over the 32-byte `digest` by the key of `point`.
    ///
    /// Both halves of the range of s are accepted: FIDO UAF has no low-s rule.
    func requireSignature(
        _ signature: [UInt8], over digest: [UInt8], by point: ArraySlice<UInt8>
    ) throws(SignatureRefusal)
}
