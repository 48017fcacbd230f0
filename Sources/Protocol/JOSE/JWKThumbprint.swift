import Crypto
import Octets
import StrictJSON

/// The SHA-256 thumbprint of a key (RFC 7638): the same for every spelling of the same key.
public struct JWKThumbprint: Hashable, Sendable {
    /// The digest, 32 bytes.
    public let octets: [UInt8]

    /// The thumbprint of `key`.
    public init(of key: JWK) {
        octets = Array(SHA256.hash(data: JSONWriter.write(.object(key.material.members))))
    }

    /// The digest in base64url, 43 characters.
    public var text: String { Base64URL.encode(octets) }
}
