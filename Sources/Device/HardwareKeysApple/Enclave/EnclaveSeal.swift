#if canImport(LocalAuthentication) && canImport(CryptoKit)
    import CryptoKit
    import Foundation
    import HardwareKeys
    import LocalAuthentication
    import Octets

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

    /// The sealed form: version, gate, enrolment, wrapped key, point, box, and eight bytes of SHA-256 over all of it.
    ///
    /// The checksum tells changed bytes from another device's; it is no protection, the box is.
    extension EnclaveSeal {
        private static let version: UInt8 = 1
        private static let checksumByteCount = 8

        /// Associated data of the box: every byte before it.
        var header: [UInt8] {
            var writer = OctetWriter()
            writer.writeUInt8(Self.version)
            writer.writeUInt8(gate?.rawValue ?? 0)
            writer.write(key.octets)
            writer.write(point)
            return writer.bytes
        }

        /// Everything but the checksum, for a place that keeps its bytes whole by itself.
        var body: [UInt8] { header + box }

        /// The sealed form with its checksum; nil when the Enclave wraps its keys in more bytes than there is room for.
        var sealed: SealedSecret? { SealedSecret(bytes: body + Self.checksum(of: body)) }

        init(_ sealed: SealedSecret) throws(KeyVaultError) {
            let body = sealed.bytes.dropLast(Self.checksumByteCount)
            guard sealed.bytes.suffix(Self.checksumByteCount) == Self.checksum(of: Array(body)) else { throw .damaged }
            try self.init(body: body)
        }

        init(body: ArraySlice<UInt8>) throws(KeyVaultError) {
            guard body.first == Self.version else {
                guard let version = body.first, version > Self.version else { throw .damaged }
                throw .newerFormat(version: version)
            }
            do {
                var reader = OctetReader(body.dropFirst())
                let gate = try reader.readUInt8()
                let key = try EnclaveKey(from: &reader)
                let point = Array(try reader.read(count: 65))
                let box = Array(try reader.read(count: Self.boxByteCount))
                try reader.finish()
                guard gate == 0 || UserGate(rawValue: gate) != nil else { throw KeyVaultError.damaged }
                self.init(gate: UserGate(rawValue: gate), key: key, point: point, box: box)
            } catch {
                throw .damaged
            }
        }

        private static func checksum(of bytes: [UInt8]) -> ArraySlice<UInt8> {
            Array(SHA256.hash(data: bytes)).prefix(checksumByteCount)
        }
    }
#endif
