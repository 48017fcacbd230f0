import Crypto
import Octets

/// Code verifier of PKCE (RFC 7636, 4.1): 43 to 128 characters, of which the request held the SHA-256 only.
enum CodeVerifier {
    static let challengeByteCount = 32

    /// Whether a text may be a verifier: letters, digits and `-._~`.
    static func isSound(_ text: String) -> Bool {
        (43...128).contains(text.utf8.count) && text.utf8.allSatisfy(isUnreserved)
    }

    /// Whether a verifier fits a challenge of S256 (RFC 7636, 4.6); with no challenge, only a missing verifier fits.
    ///
    /// A verifier without a challenge is refused: an attacker has taken the challenge out of the request (RFC 9700,
    /// 4.8.2).
    static func fits(_ text: String?, _ challenge: [UInt8]?) -> Bool {
        guard let text, let challenge else { return text == nil && challenge == nil }
        let digest = Array(SHA256.hash(data: Array(text.utf8)))
        return (try? ConstantTimeEquality.require(digest, equals: challenge)) != nil
    }

    /// The challenge of a request; nil for a text that is not the base64url of 32 octets.
    static func challenge(_ text: String) -> [UInt8]? {
        guard let octets = try? Base64URL.decode(text), octets.count == challengeByteCount else { return nil }
        return octets
    }

    private static func isUnreserved(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
