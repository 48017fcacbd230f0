/// Why a signature is refused.
@nonexhaustive
package enum SignatureRefusal: Error, Hashable, Sendable {
    /// The bytes do not have the encoding of the algorithm (length, or distinguished encoding).
    case malformed
    /// The signature was not made by this key over these bytes.
    case wrong
}
