package import Crypto
import CryptoExtras
import Octets

/// Content key and the form in which it is sent to the receiver.
struct ContentKeyDelivery {
    let contentKey: SymmetricKey
    /// The second part of the token; empty where the content key is agreed on.
    let encryptedKey: [UInt8]

    /// Hands a content key to the holder of `key`, in the way that the header says.
    ///
    /// `ephemeral` is the key pair whose public half stands in the header; nil with RSA. Throws
    /// ``JOSEError/unsupportedKey``.
    init(to key: JWK, header: JWEHeader, ephemeral: EphemeralAgreement?) throws(JOSEError) {
        let size = SymmetricKeySize(bitCount: header.encryption.keyByteCount * 8)
        guard let ephemeral else {
            contentKey = SymmetricKey(size: size)
            encryptedKey = try Self.encrypted(contentKey, to: key)
            return
        }
        let agreed = try unsafe ephemeral.secret(with: key).withUnsafeBytes { unsafe header.agreedKey(from: $0) }
        if header.algorithm == .ecdhES {
            contentKey = agreed
            encryptedKey = []
        } else {
            contentKey = SymmetricKey(size: size)
            encryptedKey = try KeyWrap.wrap(contentKey, with: agreed)
        }
    }

    /// The content key encrypted with RSA-OAEP over SHA-256 (RFC 7518, 4.3).
    private static func encrypted(_ contentKey: SymmetricKey, to key: JWK) throws(JOSEError) -> [UInt8] {
        guard case .rsa(let modulus, let exponent) = key.material else { throw .unsupportedKey }
        var octets = unsafe contentKey.withUnsafeBytes { unsafe Array($0) }
        defer { SecretOctets.wipe(&octets) }
        do {
            let receiver = try _RSA.Encryption.PublicKey(n: modulus, e: exponent)
            return Array(try receiver.encrypt(octets, padding: .PKCS1_OAEP_SHA256))
        } catch {
            throw .unsupportedKey
        }
    }
}

extension JWEHeader {
    /// The key that an agreed secret gives: the content key, or the one that wraps it (RFC 7518, 4.6).
    func agreedKey(from secret: UnsafeRawBufferPointer) -> SymmetricKey {
        let isDirect = algorithm == .ecdhES
        let byteCount = algorithm.wrappingKeyByteCount ?? encryption.keyByteCount
        let otherInfo = ConcatKDF.otherInfo(
            algorithm: isDirect ? encryption.rawValue : algorithm.rawValue, partyU: partyU, partyV: partyV,
            keyByteCount: byteCount)
        return unsafe ConcatKDF.key(from: secret, otherInfo: otherInfo, byteCount: byteCount)
    }

    /// The content key of a received token.
    ///
    /// A wrapped key that does not unwrap becomes a random one, so that the token is refused at the same place as one
    /// with a wrong tag (RFC 7516, 11.5).
    func contentKey(
        unwrapping encryptedKey: [UInt8], agreedSecret secret: UnsafeRawBufferPointer
    ) -> SymmetricKey {
        let agreed = unsafe agreedKey(from: secret)
        guard algorithm != .ecdhES else { return agreed }
        let random = SymmetricKey(size: SymmetricKeySize(bitCount: encryption.keyByteCount * 8))
        return (try? KeyWrap.unwrap(encryptedKey, with: agreed)) ?? random
    }
}

/// AES key wrap with the default initial value (RFC 3394; RFC 7518, 4.4).
package enum KeyWrap {
    /// Wraps a key; the result is eight bytes longer.
    ///
    /// Throws ``JOSEError/unsupportedKey`` when either key has a size that AES key wrap does not know.
    package static func wrap(_ key: SymmetricKey, with wrappingKey: SymmetricKey) throws(JOSEError) -> [UInt8] {
        do {
            return Array(try AES.KeyWrap.wrap(key, using: wrappingKey))
        } catch {
            throw .unsupportedKey
        }
    }

    /// The key that was wrapped.
    ///
    /// Throws ``JOSEError/undecryptable``.
    package static func unwrap(
        _ wrapped: [UInt8], with wrappingKey: SymmetricKey
    ) throws(JOSEError) -> SymmetricKey {
        do {
            return try AES.KeyWrap.unwrap(wrapped, using: wrappingKey)
        } catch {
            throw .undecryptable
        }
    }
}

/// The derivation of keys from an agreed secret that ECDH-ES uses (NIST SP 800-56A, 5.8.1; RFC 7518, 4.6.2).
package enum ConcatKDF {
    /// OtherInfo that binds a derived key to its use: algorithm, both parties and the size of the key.
    package static func otherInfo(
        algorithm: String, partyU: [UInt8], partyV: [UInt8], keyByteCount: Int
    ) -> [UInt8] {
        var info = OctetWriter(capacity: 16 + algorithm.utf8.count + partyU.count + partyV.count)
        for datum in [Array(algorithm.utf8), partyU, partyV] {
            info.writeUInt32BigEndian(UInt32(datum.count))
            info.write(datum)
        }
        info.writeUInt32BigEndian(UInt32(keyByteCount * 8))
        return info.bytes
    }

    package static func key(
        from secret: UnsafeRawBufferPointer, otherInfo: [UInt8], byteCount: Int
    ) -> SymmetricKey {
        let digestByteCount = SHA256.byteCount
        let rounds = (byteCount + digestByteCount - 1) / digestByteCount
        let material = unsafe SecretOctets(count: rounds * digestByteCount) { memory in
            for round in 0..<rounds {
                var hash = SHA256()
                hash.update(data: [0, 0, 0, UInt8(round + 1)])
                unsafe hash.update(bufferPointer: secret)
                hash.update(data: otherInfo)
                unsafe hash.finalize().withUnsafeBytes { digest in
                    let place = unsafe UnsafeMutableRawBufferPointer(
                        rebasing: memory[(round * digestByteCount)..<((round + 1) * digestByteCount)])
                    unsafe place.copyMemory(from: digest)
                }
            }
        }
        return unsafe material.withUnsafeBytes { bytes in
            unsafe SymmetricKey(data: UnsafeRawBufferPointer(rebasing: bytes[..<byteCount]))
        }
    }
}
