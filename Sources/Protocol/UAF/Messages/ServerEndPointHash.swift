import Crypto
import Octets

/// The hash of a server certificate in a channel binding.
///
/// FIDO UAF Protocol 1.1, 3.1.10; RFC 5929, 4.1: the hash of the certificate's own signature, but SHA-256 in place of
/// MD5 and SHA-1.
public enum ServerEndPointHash: Hashable, Sendable {
    /// SHA-256.
    case sha256
    /// SHA-384.
    case sha384
    /// SHA-512.
    case sha512

    /// Chooses by the certificate's signature algorithm, as a dotted object identifier.
    ///
    /// Nil for an algorithm that implies no hash, several, or one that its parameters choose.
    public init?(signatureAlgorithm identifier: String) {
        let hashes: [String: ServerEndPointHash] = [
            "1.2.840.113549.1.1.4": .sha256, "1.2.840.113549.1.1.5": .sha256, "1.2.840.10045.4.1": .sha256,
            "1.2.840.113549.1.1.11": .sha256, "1.2.840.10045.4.3.2": .sha256, "1.2.840.113549.1.1.12": .sha384,
            "1.2.840.10045.4.3.3": .sha384, "1.2.840.113549.1.1.13": .sha512, "1.2.840.10045.4.3.4": .sha512,
        ]
        guard let hash = hashes[identifier] else { return nil }
        self = hash
    }

    /// The member `serverEndPoint` for a certificate in DER.
    public func serverEndPoint(certificate: [UInt8]) -> String {
        switch self {
        case .sha256: Base64URL.encode(Array(SHA256.hash(data: certificate)))
        case .sha384: Base64URL.encode(Array(SHA384.hash(data: certificate)))
        case .sha512: Base64URL.encode(Array(SHA512.hash(data: certificate)))
        }
    }
}
