import Crypto
import CryptoExtras
package import UAF

/// A public key, parsed and judged once, that verifies signatures of one algorithm.
///
/// Keep it beside the stored registration: making one costs a good part of a verification. It is an immutable object, so
/// handing it on is cheap and it may be shared between tasks.
package final class VerificationKey: Sendable {
    /// Leniency of the reader of RSA keys.
    package enum Tolerance: Hashable, Sendable {
        /// ALG_KEY_RSA_2048_DER is an RSAPublicKey of PKCS #1 and nothing else.
        case strict
        /// A SubjectPublicKeyInfo passes under ALG_KEY_RSA_2048_DER too, as Android key stores write it.
        case acceptsSubjectPublicKeyInfo
    }

    package let algorithm: AuthenticationAlgorithm
    package let format: PublicKeyFormat
    /// The key as it was received; store these, never a re-encoding.
    package let octets: [UInt8]

    private let scheme: SignatureScheme
    private let material: KeyMaterial

    /// Parses a key.
    ///
    /// - Parameters:
    ///   - octets: The bytes of TAG_PUB_KEY, or what was stored of them.
    ///   - format: The declared format; the bytes must have exactly it.
    ///   - algorithm: The algorithm of the key; its curve is the curve the point must lie on.
    ///   - tolerance: The encodings that pass under ALG_KEY_RSA_2048_DER.
    /// - Throws: The reason to refuse the bytes as a key of this format and algorithm.
    package init(
        _ octets: some Collection<UInt8>, format: PublicKeyFormat, algorithm: AuthenticationAlgorithm,
        tolerance: Tolerance = .strict
    ) throws(VerificationKeyError) {
        let octets = Array(octets)
        scheme = try SignatureScheme(algorithm)
        material = try KeyMaterial(octets[...], format: format, family: scheme.family, tolerance: tolerance)
        self.octets = octets
        self.format = format
        self.algorithm = algorithm
    }

    /// Throws unless `signature`, in the encoding of ``algorithm``, was made with this key over `message`.
    package func requireSignature(
        _ signature: ArraySlice<UInt8>, over message: ArraySlice<UInt8>
    ) throws(SignatureRefusal) {
        try material.requireSignature(
            try SignatureDecoding.fixedLength(signature, scheme: scheme), over: message, family: scheme.family)
    }
}

/// Reason to refuse bytes as a public key of an algorithm.
///
/// A registration with such a key ends with status 1494, or 1495 where the algorithm is the reason; a stored key that
/// ends here was damaged in the store.
@nonexhaustive
package enum VerificationKeyError: Error, Hashable, Sendable {
    /// The algorithm is not one that this server verifies (SM2, or a number no registry of UAF 1.1 has).
    case unsupportedAlgorithm
    /// The format is not one of the four of UAF 1.1, or belongs to the other family of algorithms.
    case formatDoesNotFitAlgorithm
    case malformed
    /// The curve is not written by its name, or is not the curve of the algorithm.
    case foreignCurve
    case notOnCurve
    /// The RSA modulus has another size than 2048 bits, or is even.
    case unacceptableModulus
    /// The public exponent is even, below 65537, or too large to be taken.
    case unacceptableExponent
}
