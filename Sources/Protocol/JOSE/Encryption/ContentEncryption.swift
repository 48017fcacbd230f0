package import Crypto
import CryptoExtras
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

extension ContentEncryption {
    package func freshNonce() -> [UInt8] {
        switch self {
        case .a128GCM, .a256GCM: Array(AES.GCM.Nonce())
        case .a128CBCHS256, .a256CBCHS512: Array(AES._CBC.IV())
        }
    }

    /// Encrypts a content and authenticates it together with the protected header.
    ///
    /// `nonce` is used once per key. Throws ``JOSEError/unsupportedKey`` when key or nonce have a size that is not this
    /// cipher's.
    package func seal(
        _ plaintext: [UInt8], with key: SymmetricKey, nonce: [UInt8], authenticating header: [UInt8]
    ) throws(JOSEError) -> SealedContent {
        guard key.bitCount == keyByteCount * 8, nonce.count == nonceByteCount else { throw .unsupportedKey }
        do {
            switch self {
            case .a128GCM, .a256GCM:
                let box = try AES.GCM.seal(
                    plaintext, using: key, nonce: AES.GCM.Nonce(data: nonce), authenticating: header)
                return SealedContent(nonce: nonce, ciphertext: Array(box.ciphertext), tag: Array(box.tag))
            case .a128CBCHS256, .a256CBCHS512:
                let halves = Self.halves(of: key)
                let vector = try AES._CBC.IV(ivBytes: nonce)
                let ciphertext = Array(try AES._CBC.encrypt(plaintext, using: halves.encrypting, iv: vector))
                let tag = tag(of: ciphertext, nonce: nonce, header: header, key: halves.authenticating)
                return SealedContent(nonce: nonce, ciphertext: ciphertext, tag: tag)
            }
        } catch {
            throw .unsupportedKey
        }
    }

    /// Decrypts a content once its tag was found right.
    ///
    /// Throws ``JOSEError/undecryptable`` whatever is wrong: sizes, tag, padding, key.
    package func open(
        _ content: SealedContent, with key: SymmetricKey, authenticating header: [UInt8]
    ) throws(JOSEError) -> [UInt8] {
        guard key.bitCount == keyByteCount * 8, content.nonce.count == nonceByteCount,
            content.tag.count == tagByteCount
        else { throw .undecryptable }
        do {
            switch self {
            case .a128GCM, .a256GCM:
                let box = try AES.GCM.SealedBox(
                    nonce: AES.GCM.Nonce(data: content.nonce), ciphertext: content.ciphertext, tag: content.tag)
                return Array(try AES.GCM.open(box, using: key, authenticating: header))
            case .a128CBCHS256, .a256CBCHS512:
                let halves = Self.halves(of: key)
                let expected = tag(
                    of: content.ciphertext, nonce: content.nonce, header: header, key: halves.authenticating)
                // The tag first: an attacker without the key learns nothing about the padding.
                try ConstantTimeEquality.require(expected, equals: content.tag)
                let vector = try AES._CBC.IV(ivBytes: content.nonce)
                return Array(try AES._CBC.decrypt(content.ciphertext, using: halves.encrypting, iv: vector))
            }
        } catch {
            throw .undecryptable
        }
    }

    // MARK: - AES-CBC with HMAC (RFC 7518, 5.2.2)

    /// The first half of the key authenticates, the second encrypts.
    private static func halves(of key: SymmetricKey) -> (authenticating: SymmetricKey, encrypting: SymmetricKey) {
        unsafe key.withUnsafeBytes { bytes in
            let middle = bytes.count / 2
            return unsafe (
                SymmetricKey(data: UnsafeRawBufferPointer(rebasing: bytes[..<middle])),
                SymmetricKey(data: UnsafeRawBufferPointer(rebasing: bytes[middle...]))
            )
        }
    }

    private func tag(of ciphertext: [UInt8], nonce: [UInt8], header: [UInt8], key: SymmetricKey) -> [UInt8] {
        let parts = [header, nonce, ciphertext, Self.bitCount(of: header)]
        return self == .a128CBCHS256 ? tag(SHA256.self, of: parts, key: key) : tag(SHA512.self, of: parts, key: key)
    }

    private func tag<Hash: HashFunction>(_: Hash.Type, of parts: [[UInt8]], key: SymmetricKey) -> [UInt8] {
        var code = HMAC<Hash>(key: key)
        for part in parts { code.update(data: part) }
        return Array(code.finalize().prefix(tagByteCount))
    }

    /// The length of the header in bits, eight bytes, most significant first.
    private static func bitCount(of header: [UInt8]) -> [UInt8] {
        let count = UInt64(header.count) * 8
        return (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * $0)) }
    }
}
