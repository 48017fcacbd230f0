import Octets

/// The ciphers for the content of a JWE that we offer (RFC 7518, 5.1); all of them authenticate.
public enum ContentEncryption: String, CaseIterable, Hashable, Sendable {
    /// AES-128 in Galois counter mode.
    case a128GCM = "A128GCM"
    /// AES-256 in Galois counter mode.
    case a256GCM = "A256GCM"
    /// AES-128 in cipher block chaining, with HMAC-SHA-256.
    case a128CBCHS256 = "A128CBC-HS256"
    /// AES-256 in cipher block chaining, with HMAC-SHA-512.
    case a256CBCHS512 = "A256CBC-HS512"

    /// The cipher with exactly this name; nil for every other.
    init?(exactly name: String) {
        guard let encryption = Self.allCases.first(where: { $0.rawValue.hasSameOctets(as: name) }) else { return nil }
        self = encryption
    }

    /// The size of the content key in bytes.
    package var keyByteCount: Int {
        switch self {
        case .a128GCM: 16
        case .a256GCM, .a128CBCHS256: 32
        case .a256CBCHS512: 64
        }
    }

    /// The size of the initialization vector in bytes.
    package var nonceByteCount: Int {
        switch self {
        case .a128GCM, .a256GCM: 12
        case .a128CBCHS256, .a256CBCHS512: 16
        }
    }

    /// The size of the authentication tag in bytes.
    package var tagByteCount: Int {
        switch self {
        case .a128GCM, .a256GCM, .a128CBCHS256: 16
        case .a256CBCHS512: 32
        }
    }
}
