import Octets

/// A JWS that waits for its signature.
///
/// This module never holds a private key: it gives out the bytes to sign, and whoever holds the key (software, a
/// trusted platform module, the Secure Enclave) brings back the signature.
///
/// ```swift
/// let unsigned = UnsignedJWS(header: JOSEHeader(algorithm: .es256, keyID: "2026-1"), payload: payload)
/// let token = unsigned.signed(with: try sign(unsigned.signingInput))
/// ```
public struct UnsignedJWS: Sendable {
    /// The bytes to sign, with the algorithm of the header.
    public let signingInput: [UInt8]

    /// Encodes header and payload.
    public init(header: JOSEHeader, payload: [UInt8]) {
        signingInput = Array("\(Base64URL.encode(header.json)).\(Base64URL.encode(payload))".utf8)
    }

    /// The token in compact serialization.
    ///
    /// For ES256 `signature` is r and s, 32 bytes each.
    public func signed(with signature: [UInt8]) -> String {
        "\(String(decoding: signingInput, as: UTF8.self)).\(Base64URL.encode(signature))"
    }
}
