import Crypto
import CryptoExtras
import FoundationEssentials
package import Octets

/// Secret that only a chip recovers which holds both an endorsement key and an attestation key (TPM2_MakeCredential,
/// done without a chip; TPM 2.0, part 1, section 24).
package struct CredentialChallenge: Hashable, Sendable {
    package static let secretByteCount = 32

    /// TPM2B_ID_OBJECT: the secret, encrypted for the name of the attestation key.
    package let credential: [UInt8]
    /// TPM2B_ENCRYPTED_SECRET: the seed of that encryption, for the endorsement key.
    package let encryptedSeed: [UInt8]

    /// Encrypts a secret of ``secretByteCount`` random bytes, which only the caller remembers.
    ///
    /// Draws an ephemeral key. Throws ``TPMRefusal``, `endorsementKeyKind`, for a key that agrees on nothing.
    package init(
        _ secret: borrowing SecretOctets, for attestationKey: TPMAttestationKey, to endorsementKey: EndorsementKey
    ) throws(TPMRefusal) {
        var plain = unsafe secret.withUnsafeBytes { unsafe Array($0) }
        defer { SecretOctets.wipe(&plain) }
        var seeded: (seed: [UInt8], encrypted: [UInt8])
        switch endorsementKey.kind {
        case .p256: seeded = try Self.seedForP256(endorsementKey.octets)
        case .p384: seeded = try Self.seedForP384(endorsementKey.octets)
        case .rsa2048: seeded = try Self.seedForRSA(endorsementKey.octets)
        }
        defer { SecretOctets.wipe(&seeded.seed) }
        let sealed: [UInt8]? =
            switch endorsementKey.kind {
            case .p256, .rsa2048:
                Sealing<SHA256>.seal(plain, name: attestationKey.name, seed: seeded.seed, keyByteCount: 16)
            case .p384: Sealing<SHA384>.seal(plain, name: attestationKey.name, seed: seeded.seed, keyByteCount: 32)
            }
        guard let sealed else { throw .endorsementKeyKind }
        credential = Sealing<SHA256>.sized(sealed)
        encryptedSeed = Sealing<SHA256>.sized(seeded.encrypted)
    }

    /// Requires that a phone has recovered the secret; throws ``TPMRefusal/wrongCredential``.
    package static func require(_ recovered: [UInt8], equals secret: borrowing SecretOctets) throws(TPMRefusal) {
        var expected = unsafe secret.withUnsafeBytes { unsafe Array($0) }
        defer { SecretOctets.wipe(&expected) }
        do {
            try ConstantTimeEquality.require(recovered, equals: expected)
        } catch {
            throw .wrongCredential
        }
    }

    // MARK: - Seed

    private static let label = "IDENTITY"

    private static func seedForP256(_ point: [UInt8]) throws(TPMRefusal) -> (seed: [UInt8], encrypted: [UInt8]) {
        let ephemeral = P256.KeyAgreement.PrivateKey()
        guard let key = try? P256.KeyAgreement.PublicKey(x963Representation: point),
            let shared = try? ephemeral.sharedSecretFromKeyAgreement(with: key)
        else { throw .endorsementKeyKind }
        return seed(SHA256.self, shared, Array(ephemeral.publicKey.x963Representation), point)
    }

    private static func seedForP384(_ point: [UInt8]) throws(TPMRefusal) -> (seed: [UInt8], encrypted: [UInt8]) {
        let ephemeral = P384.KeyAgreement.PrivateKey()
        guard let key = try? P384.KeyAgreement.PublicKey(x963Representation: point),
            let shared = try? ephemeral.sharedSecretFromKeyAgreement(with: key)
        else { throw .endorsementKeyKind }
        return seed(SHA384.self, shared, Array(ephemeral.publicKey.x963Representation), point)
    }

    private static func seedForRSA(_ modulus: [UInt8]) throws(TPMRefusal) -> (seed: [UInt8], encrypted: [UInt8]) {
        guard let encryption = RSAEncryption(modulus: modulus) else { throw .endorsementKeyKind }
        let seed = unsafe SymmetricKey(size: .bits256).withUnsafeBytes { unsafe Array($0) }
        return (seed, encryption.encrypt(seed, label: Array(label.utf8) + [0]))
    }

    private static func seed<Hash: HashFunction & SendableMetatype>(
        _: Hash.Type, _ shared: SharedSecret, _ ephemeral: [UInt8], _ own: [UInt8]
    ) -> (seed: [UInt8], encrypted: [UInt8]) {
        let size = own.count / 2
        let (x, y) = (Array(ephemeral.dropFirst().prefix(size)), Array(ephemeral.dropFirst(1 + size)))
        var coordinate = unsafe shared.withUnsafeBytes { unsafe Array($0) }
        defer { SecretOctets.wipe(&coordinate) }
        let seed = TPMKeyDerivation<Hash>.seed(
            sharing: coordinate, label: label, ephemeral: x, own: Array(own.dropFirst().prefix(size)))
        return (seed, Sealing<Hash>.sized(x) + Sealing<Hash>.sized(y))
    }
}

/// Encryption under a seed that both ends know, as chips wrap what leaves them (part 1, section 24.4).
private enum Sealing<Hash: HashFunction & SendableMetatype> {
    /// Digest and encrypted secret: TPMS_ID_OBJECT.
    static func seal(_ secret: [UInt8], name: [UInt8], seed: [UInt8], keyByteCount: Int) -> [UInt8]? {
        var key = TPMKeyDerivation<Hash>.key(from: seed, label: "STORAGE", context: name, byteCount: keyByteCount)
        var integrityKey = TPMKeyDerivation<Hash>.key(from: seed, label: "INTEGRITY", byteCount: Hash.Digest.byteCount)
        defer {
            SecretOctets.wipe(&key)
            SecretOctets.wipe(&integrityKey)
        }
        guard let start = try? AES._CFB.IV(ivBytes: [UInt8](repeating: 0, count: 16)),
            let encrypted = try? AES._CFB.encrypt(sized(secret), using: SymmetricKey(data: key), iv: start)
        else { return nil }
        let identity = Array(encrypted)
        return sized(TPMKeyDerivation<Hash>.authentication(of: identity + name, with: integrityKey)) + identity
    }

    /// Bytes behind their size (16 bits).
    static func sized(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8(truncatingIfNeeded: bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)] + bytes
    }
}
