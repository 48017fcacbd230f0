package import Octets

/// A JWE in compact serialization (RFC 7516, 7.1), split and judged but not decrypted.
///
/// This module never holds a private key. Whoever holds the receiver's key (software, a trusted platform module, the
/// Secure Enclave) agrees with ``ephemeralKey`` on a secret, and ``open(agreedSecret:)`` takes that secret.
public struct CompactJWE: Sendable {
    /// The protected header.
    public let header: JWEHeader
    /// The point to agree with: on P-256, uncompressed as in X9.63, 65 bytes.
    public let ephemeralKey: [UInt8]
    private let encryptedKey: [UInt8]
    private let content: SealedContent
    /// The first part as received: what the tag covers beside the content.
    private let encodedHeader: [UInt8]

    /// The longest token that is read or made, in bytes.
    public static let maximumByteCount = 256 * 1024

    /// The identifier of the key it is for; a hint that never decides alone.
    public var keyID: String? { header.keyID }

    /// Splits, decodes and judges a token; nothing is computed with any key.
    ///
    /// Throws ``JOSEError/malformedToken``, ``JOSEError/refusedHeader``, ``JOSEError/unsupportedAlgorithm`` and
    /// ``JOSEError/algorithmMismatch``. The JSON serialization (RFC 7516, 7.2) is not read.
    public init(parsing text: String, accepting acceptance: JWEAcceptance = .agreement) throws(JOSEError) {
        let parts = try CompactParts(text, count: 5, maximumByteCount: Self.maximumByteCount)
        header = try JWEHeader(json: parts.decoded(0))
        try acceptance.require(header)
        guard let point = header.ephemeralKey?.p256Point else { throw .unsupportedAlgorithm }
        ephemeralKey = point
        encodedHeader = Array(parts[0])
        encryptedKey = try parts.decoded(1)
        content = SealedContent(
            nonce: try parts.decoded(2), ciphertext: try parts.decoded(3), tag: try parts.decoded(4))
        guard encryptedKey.count == Self.encryptedKeyByteCount(header),
            content.nonce.count == header.encryption.nonceByteCount,
            content.tag.count == header.encryption.tagByteCount
        else { throw .malformedToken }
    }

    /// The plaintext; wiping it is the caller's business.
    ///
    /// `secret` is what ECDH between the receiver's key and ``ephemeralKey`` gives: the x coordinate, 32 bytes. Throws
    /// ``JOSEError/undecryptable``, whatever is wrong.
    package func open(agreedSecret secret: borrowing SecretOctets) throws(JOSEError) -> [UInt8] {
        let contentKey = unsafe secret.withUnsafeBytes { secret in
            unsafe header.contentKey(unwrapping: encryptedKey, agreedSecret: secret)
        }
        return try header.encryption.open(content, with: contentKey, authenticating: encodedHeader)
    }

    /// What the second part must have: nothing where the content key is agreed on (RFC 7518, 4.6), else the wrapped key.
    private static func encryptedKeyByteCount(_ header: JWEHeader) -> Int {
        header.algorithm == .ecdhES ? 0 : header.encryption.keyByteCount + 8
    }
}
