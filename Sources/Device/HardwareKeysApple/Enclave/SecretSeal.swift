#if canImport(LocalAuthentication) && canImport(CryptoKit)
    import CryptoKit
    import HardwareKeys
    import Octets

    /// Box around a wrapped key, under the secret of the key and a factor of the Enclave; without both the key is
    /// useless.
    ///
    /// The key of the box is HKDF(secret || factor). The factor is 32 random bytes that a key agreement of the Enclave
    /// opens, so a copy of the keychain gives an attacker no place to try secrets. No verifier is stored: a wrong secret is a
    /// tag that does not fit.
    struct SecretSeal: Hashable, Sendable {
        let factor: EnclaveSeal
        /// AES-256-GCM: nonce, ciphertext, tag.
        let box: [UInt8]

        init(factor: EnclaveSeal, box: [UInt8]) {
            self.factor = factor
            self.box = box
        }

        /// Seals the wrapped key of `reference` with a fresh factor.
        init(
            sealing blob: [UInt8], of reference: KeyReference, under secret: VaultSecret
        ) throws(KeyVaultError) {
            let opened = VaultSecret.random()
            factor = try EnclaveSeal(sealing: opened, behind: nil)
            let key = Self.key(from: secret, and: opened, for: reference)
            guard let sealed = try? AES.GCM.seal(blob, using: key, authenticating: reference.bytes) else {
                throw .hardwareFailed(code: 0)
            }
            box = [UInt8](sealed.nonce) + sealed.ciphertext + sealed.tag
        }

        /// Opens the wrapped key with the factor as the Enclave gave it; nil when the secret is wrong.
        func open(with factor: VaultSecret, and secret: VaultSecret, of reference: KeyReference) -> [UInt8]? {
            let key = Self.key(from: secret, and: factor, for: reference)
            guard let sealed = try? AES.GCM.SealedBox(combined: box),
                let blob = try? AES.GCM.open(sealed, using: key, authenticating: reference.bytes)
            else { return nil }
            return Array(blob)
        }

        private static func key(
            from secret: VaultSecret, and factor: VaultSecret, for reference: KeyReference
        ) -> SymmetricKey {
            let joined = SecretOctets(count: 2 * VaultSecret.byteCount) { memory in
                secret.withUnsafeBytes { memory.copyBytes(from: $0) }
                factor.withUnsafeBytes { bytes in
                    UnsafeMutableRawBufferPointer(rebasing: memory[VaultSecret.byteCount...]).copyBytes(from: bytes)
                }
            }
            let info = Array("signet enclave secret v1".utf8) + reference.bytes
            let key = joined.withUnsafeBytes { SecretHash.hkdf(from: $0, info: info) }
            return key.withUnsafeBytes { SymmetricKey(data: $0) }
        }
    }
#endif
