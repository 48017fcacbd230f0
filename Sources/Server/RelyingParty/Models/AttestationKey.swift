import UAF

/// The public key of an attestation certificate whose path was validated; only ``CertificatePathCheck`` makes it.
package struct AttestationKey: Hashable, Sendable {
    /// The bytes of the key: an uncompressed point, or RSAPublicKey of PKCS #1.
    let octets: [UInt8]
    /// Whether it is an RSA key.
    let isRSA: Bool

    /// The key as one that verifies signatures of `algorithm`.
    func verificationKey(
        for algorithm: AuthenticationAlgorithm, secp256k1: (any SignatureVerifier)?
    ) throws(VerificationKeyError) -> VerificationKey {
        try VerificationKey(
            octets, format: isRSA ? .rsa2048DER : .eccX962Raw, algorithm: algorithm, secp256k1: secp256k1)
    }
}
