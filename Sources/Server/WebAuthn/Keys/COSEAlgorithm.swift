/// Algorithms of keys that are offered, by their numbers (IANA, COSE Algorithms), the preferred first.
package enum COSEAlgorithm: Int64, Hashable, Sendable, CaseIterable {
    /// ECDSA with SHA-256, on P-256.
    case es256 = -7
    /// Ed25519.
    case eddsa = -8
    /// ML-DSA with 65 in its name (FIPS 204), which quantum computers do not break.
    case mldsa65 = -49
    /// RSASSA-PKCS1-v1_5 with SHA-256, 2048 to 4096 bits.
    case rs256 = -257
}
