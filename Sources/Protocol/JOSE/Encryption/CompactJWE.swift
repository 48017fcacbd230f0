import Crypto
import CryptoExtras
package import Octets

/// A JWE in compact serialization (RFC 7516, 7.1), split and judged but not decrypted.
///
/// This module never holds a private key. The holder of the receiver's key (software, a trusted platform module, the
/// Secure Enclave) agrees with ``ephemeralKey`` on a secret, and the content is opened with that secret.
///
/// ```swift
/// let token = try CompactJWE.seal(plaintext, to: receiver, contentType: "application/json")
/// let received = try CompactJWE(parsing: token, accepting: JWEAcceptance(holderOf: receiver))
/// let point = received.ephemeralKey  // The holder of the private key agrees on a secret with it.
/// ```
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

    /// Required length of the second part: zero where the content key is agreed on (RFC 7518, section 4.6), else the length of
    /// the wrapped key.
    private static func encryptedKeyByteCount(_ header: JWEHeader) -> Int {
        header.algorithm == .ecdhES ? 0 : header.encryption.keyByteCount + 8
    }
}

extension CompactJWE {
    /// Encrypts to the holder of a key and gives the token in compact serialization.
    ///
    /// Unless requested otherwise, the algorithm is the one the key names or prefers, the cipher A256GCM, with RSA
    /// A256CBC-HS512, and the identifier in the header the key's own or its thumbprint. Throws
    /// ``JOSEError/unsupportedKey`` when the key is for something else, ``JOSEError/algorithmMismatch`` when the
    /// algorithm is not one of the key's, and ``JOSEError/oversizedPlaintext``.
    public static func seal(
        _ plaintext: [UInt8], to key: JWK, algorithm: JWEAlgorithm? = nil, encryption: ContentEncryption? = nil,
        contentType: String? = nil, keyID: String? = nil
    ) throws(JOSEError) -> String {
        let offered = try key.encryptionAlgorithms()
        guard let algorithm = algorithm ?? offered.first, offered.contains(algorithm) else { throw .algorithmMismatch }
        let ephemeral = algorithm == .rsaOAEP256 ? nil : EphemeralAgreement()
        let header = JWEHeader(
            algorithm: algorithm, encryption: encryption ?? (algorithm == .rsaOAEP256 ? .a256CBCHS512 : .a256GCM),
            ephemeralKey: try ephemeral?.publicKey, keyID: keyID ?? key.keyID ?? JWKThumbprint(of: key).text,
            type: nil, contentType: contentType, partyU: [], partyV: [])
        let delivery = try ContentKeyDelivery(to: key, header: header, ephemeral: ephemeral)
        return try seal(plaintext, header: header, delivery: delivery)
    }

    private static func seal(
        _ plaintext: [UInt8], header: JWEHeader, delivery: ContentKeyDelivery
    ) throws(JOSEError) -> String {
        let encryption = header.encryption
        let encodedHeader = Base64URL.encode(header.json)
        let content = try encryption.seal(
            plaintext, with: delivery.contentKey, nonce: encryption.freshNonce(),
            authenticating: Array(encodedHeader.utf8))
        let parts = [delivery.encryptedKey, content.nonce, content.ciphertext, content.tag]
        let token = parts.reduce(into: encodedHeader) { $0 += "." + Base64URL.encode($1) }
        guard token.utf8.count <= maximumByteCount else { throw .oversizedPlaintext }
        return token
    }
}

/// Algorithms that a receiver accepts; fixed by its keys before any token is read.
public struct JWEAcceptance: Hashable, Sendable {
    /// The ways to hand over the content key.
    public let algorithms: Set<JWEAlgorithm>
    /// The ciphers of the content.
    public let encryptions: Set<ContentEncryption>

    /// Everything that the holder of a key on P-256 can open.
    public static let agreement = JWEAcceptance()

    /// Only these; ``JWEAlgorithm/rsaOAEP256`` among them changes nothing, since no token of it is opened.
    public init(
        algorithms: Set<JWEAlgorithm> = [.ecdhES, .ecdhESA128KW, .ecdhESA256KW],
        encryptions: Set<ContentEncryption> = Set(ContentEncryption.allCases)
    ) {
        self.algorithms = algorithms
        self.encryptions = encryptions
    }

    /// Acceptance of the holder of this key: the algorithm that the key names, or all that go with it.
    ///
    /// Throws ``JOSEError/unsupportedKey`` when the key is for something else.
    public init(holderOf key: JWK) throws(JOSEError) {
        self.init(algorithms: Set(try key.encryptionAlgorithms()))
    }

    /// Throws ``JOSEError/algorithmMismatch`` unless both algorithms of a header are accepted.
    func require(_ header: JWEHeader) throws(JOSEError) {
        guard algorithms.contains(header.algorithm), encryptions.contains(header.encryption) else {
            throw .algorithmMismatch
        }
    }
}
