import Octets

/// The signature algorithms that we offer (RFC 7518, 3.1).
///
/// There is no `none`, nothing symmetric, and the key alone decides which of these verifies a token.
public enum JWSAlgorithm: String, Hashable, Sendable {
    /// ECDSA over P-256 with SHA-256; the signature is r and s, 32 bytes each.
    case es256 = "ES256"
    /// RSASSA-PKCS1-v1_5 with SHA-256, 2048 to 4096 bits.
    case rs256 = "RS256"

    /// The algorithm with exactly this name; nil for every other.
    init?(exactly name: String) {
        switch name {
        case _ where name.hasSameOctets(as: Self.es256.rawValue): self = .es256
        case _ where name.hasSameOctets(as: Self.rs256.rawValue): self = .rs256
        default: return nil
        }
    }
}
