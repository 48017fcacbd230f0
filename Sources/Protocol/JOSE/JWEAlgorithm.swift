import Octets

/// The ways to hand over the content key that we offer (RFC 7518, 4.1).
///
/// Nothing symmetric, nothing with passwords, no RSA with the padding of PKCS#1 v1.5: the key alone says which of these
/// a token may use.
public enum JWEAlgorithm: String, CaseIterable, Hashable, Sendable {
    /// ECDH on P-256; what is agreed on is the content key.
    case ecdhES = "ECDH-ES"
    /// ECDH on P-256; what is agreed on wraps the content key, with AES-128.
    case ecdhESA128KW = "ECDH-ES+A128KW"
    /// ECDH on P-256; what is agreed on wraps the content key, with AES-256.
    case ecdhESA256KW = "ECDH-ES+A256KW"
    /// RSA-OAEP with SHA-256; only for sealing to phones of older servers, never opened.
    case rsaOAEP256 = "RSA-OAEP-256"

    /// The algorithm with exactly this name; nil for every other.
    init?(exactly name: String) {
        guard let algorithm = Self.allCases.first(where: { $0.rawValue.hasSameOctets(as: name) }) else { return nil }
        self = algorithm
    }

    /// The size in bytes of the key that wraps the content key; nil where nothing is wrapped with AES.
    var wrappingKeyByteCount: Int? {
        switch self {
        case .ecdhES, .rsaOAEP256: nil
        case .ecdhESA128KW: 16
        case .ecdhESA256KW: 32
        }
    }
}
