import Octets

/// A JWS that waits for its signature.
///
/// This module never holds a private key: it gives out the bytes to sign, and the holder of the key (software, a
/// trusted platform module, the Secure Enclave) brings back the signature.
///
/// ```swift
/// let unsigned = UnsignedJWS(header: JOSEHeader(algorithm: .es256, keyID: "2026-1"), payload: payload)
/// let token = unsigned.signed(with: try sign(unsigned.signingInput))
/// ```
public struct UnsignedJWS: Sendable {
    /// The bytes to sign, with the algorithm of the header.
    public var signingInput: [UInt8] { Array(text.utf8) }

    /// Header and payload, encoded.
    private let text: String

    /// Encodes header and payload.
    public init(header: JOSEHeader, payload: [UInt8]) {
        text = Self.joined(Base64URL.encode(header.json), Base64URL.encode(payload))
    }

    /// The token in compact serialization.
    ///
    /// For ES256 `signature` is r and s, 32 bytes each.
    public func signed(with signature: [UInt8]) -> String {
        Self.joined(text, Base64URL.encode(signature))
    }

    private static func joined(_ one: String, _ other: String) -> String {
        var text = ""
        text.reserveCapacity(one.utf8.count + 1 + other.utf8.count)
        text += one
        text += "."
        text += other
        return text
    }
}
