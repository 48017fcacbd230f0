#if canImport(LocalAuthentication) && canImport(CryptoKit)
    import CryptoKit
    import Foundation
    import HardwareKeys
    import LocalAuthentication

    /// A secret sealed by a key agreement between a key of the Enclave and a point that was used once.
    struct EnclaveSeal: Hashable, Sendable {
        /// Number of bytes of ``box``: nonce, secret, tag.
        static let boxByteCount = 12 + VaultSecret.byteCount + 16

        let gate: UserGate?
        let key: EnclaveKey
        /// The one-time point, uncompressed.
        let point: [UInt8]
        /// AES-256-GCM: nonce, ciphertext, tag.
        private(set) var box: [UInt8] = []

        init(gate: UserGate?, key: EnclaveKey, point: [UInt8], box: [UInt8]) {
            self.gate = gate
            self.key = key
            self.point = point
            self.box = box
        }

        /// Seals a secret under a fresh key of the Enclave; asks the user nothing.
        init(sealing secret: VaultSecret, behind gate: UserGate?) throws(KeyVaultError) {
            let (key, enclavePoint) = try EnclaveKey.make(.agreement, behind: gate)
            let once = P256.KeyAgreement.PrivateKey()
            self.init(gate: gate, key: key, point: Array(once.publicKey.x963Representation), box: [])
            do {
                let shared = try once.sharedSecretFromKeyAgreement(with: .init(x963Representation: enclavePoint))
                let sealed = try secret.withUnsafeBytes { bytes in
                    try AES.GCM.seal(bytes, using: Self.sealingKey(from: shared), authenticating: header)
                }
                box = [UInt8](sealed.nonce) + sealed.ciphertext + sealed.tag
            } catch {
                throw .hardwareFailed(code: 0)
            }
        }

        /// Opens the secret again, in an authenticated context where a gate asks for one.
        func open(in context: LAContext?) throws(KeyVaultError) -> VaultSecret {
            guard let point = try? P256.KeyAgreement.PublicKey(x963Representation: point) else { throw .damaged }
            let sealingKey = Self.sealingKey(from: try key.agree(with: point, in: context))
            guard let sealed = try? AES.GCM.SealedBox(combined: box),
                var plain = try? AES.GCM.open(sealed, using: sealingKey, authenticating: header)
            else { throw .damaged }
            defer { plain.resetBytes(in: plain.indices) }
            guard let secret = VaultSecret(copying: plain) else { throw .damaged }
            return secret
        }

        private static func sealingKey(from shared: SharedSecret) -> SymmetricKey {
            shared.hkdfDerivedSymmetricKey(
                using: SHA256.self, salt: [UInt8](), sharedInfo: Array("signet enclave seal v1".utf8),
                outputByteCount: VaultSecret.byteCount)
        }
    }
#endif
