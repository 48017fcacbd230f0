import Crypto
import Octets

/// SHA-256 and HKDF-SHA256 (RFC 5869) over secrets, none of which stays behind in freed memory.
///
/// The types of the cryptographic library give the same results, but leave their input behind: `HMAC` lays the key out in an
/// array that is freed as it is, and of the context of a hash, which holds its state and the last bytes that do not fill a
/// block, no more than a machine word is overwritten. Here keys are laid out in locked memory (``KeyedHash``), and every hash goes on
/// over a block of zeros when its result is known: then its context holds only what cannot be computed back.
package enum SecretHash {
    private static let zeros = [UInt8](repeating: 0, count: KeyedHash.blockByteCount)

    package static func sha256(
        _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer = .none
    ) -> VaultSecret {
        VaultSecret { finish(SHA256(), over: first, second, into: $0) }
    }

    /// HKDF-SHA256 of secret material: 32 bytes.
    package static func hkdf(
        from material: UnsafeRawBufferPointer, salt: [UInt8] = [], info: [UInt8]
    ) -> VaultSecret {
        let extracted = salt.withUnsafeBytes { hmac(material, using: $0) }
        // One block is all that is asked for, and it is the first.
        return (info + [1]).withUnsafeBytes { message in
            extracted.withUnsafeBytes { hmac(message, using: $0) }
        }
    }

    /// A code that is a secret itself.
    private static func hmac(_ message: UnsafeRawBufferPointer, using key: UnsafeRawBufferPointer) -> VaultSecret {
        let hash = KeyedHash(key: key)
        return VaultSecret { hash.write(codeOf: message, to: $0) }
    }

    /// Goes on with a hash over pieces, writes the 32 bytes of its result, and overwrites the copy that it took.
    static func finish(
        _ start: consuming SHA256, over first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer = .none,
        _ third: UnsafeRawBufferPointer = .none, into target: UnsafeMutableRawBufferPointer
    ) {
        start.update(bufferPointer: first)
        if !second.isEmpty { start.update(bufferPointer: second) }
        if !third.isEmpty { start.update(bufferPointer: third) }
        start.finalize().withUnsafeBytes { target.copyMemory(from: $0) }
        overwrite(&start)
    }

    /// Leaves nothing of a secret in the context of a hash.
    static func overwrite(_ hash: inout SHA256) {
        zeros.withUnsafeBytes { hash.update(bufferPointer: $0) }
    }
}
