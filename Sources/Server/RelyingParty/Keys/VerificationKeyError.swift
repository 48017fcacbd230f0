/// Why bytes are not a public key that may verify for an algorithm.
///
/// A registration with such a key ends with status 1494, or 1495 where the algorithm is the reason; a stored key that
/// ends here was damaged in the store.
@nonexhaustive
package enum VerificationKeyError: Error, Hashable, Sendable {
    /// The algorithm is not one that this server verifies (SM2, or a number no registry of UAF 1.1 has).
    case unsupportedAlgorithm
    /// The format is not one of the four of UAF 1.1, or belongs to the other family of algorithms.
    case formatDoesNotFitAlgorithm
    /// The bytes do not have the declared format.
    case malformed
    /// The curve is not written by its name, or is not the curve of the algorithm.
    case foreignCurve
    /// The coordinates do not lie on the curve.
    case notOnCurve
    /// The RSA modulus has another size than 2048 bits, or is even.
    case unacceptableModulus
    /// The public exponent is even, below 65537, or too large to be taken.
    case unacceptableExponent
}
