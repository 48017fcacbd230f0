import Crypto
import HardwareKeys
import Octets

/// Inputs of the key that wraps a root key: hardware, fingerprint, passphrase.
struct KeyEncryption {
    private static let keyByteCount = 32

    /// Secret unsealed by the vault.
    let hardwareKey: VaultSecret
    let fingerprint: DeviceFingerprint?
    let passphraseKey: VaultSecret?

    func wrapped(
        _ rootKey: VaultSecret, for header: StoreFileHeader, nonce: AES.GCM.Nonce
    ) throws(SecureStorageError) -> [UInt8] {
        let context = header.wrapContext
        defer { FreedMemory.wipe(.roundKeys) }
        do {
            let box = try rootKey.withUnsafeBytes { bytes in
                try AES.GCM.seal(bytes, using: key(for: header), nonce: nonce, authenticating: context)
            }
            return Array(box.nonce) + box.ciphertext + box.tag
        } catch {
            throw .storageCorrupted
        }
    }

    /// Unwraps a root key; nil when something it is made of is not what it was, or the bytes are not.
    func unwrapped(_ wrapped: [UInt8], of header: StoreFileHeader) -> VaultSecret? {
        guard wrapped.count == WrapSection.wrappedRootKeyByteCount,
            let sealed = wrapped.withUnsafeBytes({ SealedValue($0) })
        else { return nil }
        let context = header.wrapContext
        defer { FreedMemory.wipe(.roundKeys) }
        return context.withUnsafeBytes { context in
            sealed.opened(using: key(for: header), authenticating: context) { VaultSecret(copying: $0) } ?? nil
        }
    }

    /// Tells whether the fingerprint is the one that ``WrapSection/Tag/fingerprintCheck`` was made with.
    ///
    /// Without the hardware key it says nothing about the fingerprint.
    var fingerprintCheck: [UInt8]? {
        fingerprint.map { fingerprint in
            fingerprint.withUnsafeBytes { check("fp", of: $0) }
        }
    }

    /// The same for the passphrase.
    var passphraseCheck: [UInt8]? {
        passphraseKey.map { key in
            key.withUnsafeBytes { check("pw", of: $0) }
        }
    }

    private func check(_ purpose: String, of bytes: UnsafeRawBufferPointer) -> [UInt8] {
        let key = hardwareKey.withUnsafeBytes { SecretHash.hkdf(from: $0, info: Array(purpose.utf8)) }
        return Array(key.withUnsafeBytes { KeyedHash(key: $0) }.code(of: bytes).prefix(WrapSection.checkByteCount))
    }

    /// HKDF-SHA256 over the three parts; an absent part is 32 zero bytes, and the authenticated flags say so.
    func key(for header: StoreFileHeader) -> SymmetricKey {
        let count = Self.keyByteCount
        let material = SecretOctets(count: 3 * count) { target in
            hardwareKey.withUnsafeBytes { target.copyMemory(from: $0) }
            fingerprint?.withUnsafeBytes { bytes in
                let part = UnsafeMutableRawBufferPointer(rebasing: target[count...])
                SecretHash.sha256(bytes).withUnsafeBytes { part.copyMemory(from: $0) }
            }
            passphraseKey?.withUnsafeBytes { bytes in
                UnsafeMutableRawBufferPointer(rebasing: target[(2 * count)...]).copyMemory(from: bytes)
            }
        }
        let info = Array("SST1 kek".utf8) + header.storageID + [header.protection.rawValue, header.provider.rawValue]
        let key = material.withUnsafeBytes { SecretHash.hkdf(from: $0, salt: header.salt, info: info) }
        return key.withUnsafeBytes { SymmetricKey(data: $0) }
    }
}
