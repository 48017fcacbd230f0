import Crypto
import Octets

/// SHA-256, HMAC-SHA256 (RFC 2104) and HKDF-SHA256 (RFC 5869) over secrets, none of which stays behind in freed memory.
///
/// The types of the cryptographic library give the same results, but leave their input behind: `HMAC` lays the key out in an
/// array that is freed as it is, and of the context of a hash, which holds its state and the last bytes that do not fill a
/// block, no more than a machine word is overwritten. Here keys are laid out in locked memory, and every hash goes on
/// over a block of zeros when its result is known: then its context holds only what nobody can compute back.
package enum SecretHash {
    private static let blockByteCount = 64
    private static let zeros = [UInt8](repeating: 0, count: blockByteCount)

    /// SHA-256 of pieces, one after the other.
    package static func sha256(_ pieces: UnsafeRawBufferPointer...) -> VaultSecret {
        sha256(pieces)
    }

    /// HMAC-SHA256 of a message under a key of any length.
    package static func hmac(_ message: UnsafeRawBufferPointer..., using key: UnsafeRawBufferPointer) -> VaultSecret {
        hmac(message, using: key)
    }

    /// HKDF-SHA256 of secret material: 32 bytes.
    package static func hkdf(
        from material: UnsafeRawBufferPointer, salt: [UInt8] = [], info: [UInt8]
    ) -> VaultSecret {
        let extracted = salt.withUnsafeBytes { hmac([material], using: $0) }
        // One block is all that is asked for, and it is the first.
        return (info + [1]).withUnsafeBytes { message in
            extracted.withUnsafeBytes { hmac([message], using: $0) }
        }
    }

    private static func hmac(_ message: [UnsafeRawBufferPointer], using key: UnsafeRawBufferPointer) -> VaultSecret {
        guard key.count <= blockByteCount else {
            return sha256([key]).withUnsafeBytes { hmac(message, using: $0) }
        }
        let inner = padded(key, 0x36).withUnsafeBytes { sha256([$0] + message) }
        return padded(key, 0x5C).withUnsafeBytes { key in
            inner.withUnsafeBytes { sha256([key, $0]) }
        }
    }

    private static func padded(_ key: UnsafeRawBufferPointer, _ mask: UInt8) -> SecretOctets {
        SecretOctets(count: blockByteCount) { block in
            for index in block.indices { block[index] = (index < key.count ? key[index] : 0) ^ mask }
        }
    }

    private static func sha256(_ pieces: [UnsafeRawBufferPointer]) -> VaultSecret {
        var hash = SHA256()
        for piece in pieces { hash.update(bufferPointer: piece) }
        let result = VaultSecret { target in
            hash.finalize().withUnsafeBytes { target.copyMemory(from: $0) }
        }
        zeros.withUnsafeBytes { hash.update(bufferPointer: $0) }
        return result
    }
}
