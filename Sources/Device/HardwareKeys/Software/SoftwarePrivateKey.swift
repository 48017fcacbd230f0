import Crypto
import CryptoExtras
import Octets

/// Private key of a software vault, unsealed for one use; wiped at the end of its lifetime.
///
/// The bytes are the scalar for P-256, and PKCS#1 RSAPrivateKey (DER) for RSA.
final class SoftwarePrivateKey: Sendable {
    static let byteLimit = 1_280

    let algorithm: KeyRequirements.Algorithm
    private let octets: SecretOctets

    /// Takes the bytes of a stored key over; nil for a number of bytes that no such key has.
    init?(_ algorithm: KeyRequirements.Algorithm, _ octets: consuming SecretOctets) {
        let isPossible =
            switch algorithm {
            case .p256: octets.count == VaultSecret.byteCount
            case .rsa2048: (1...Self.byteLimit).contains(octets.count)
            }
        guard isPossible else { return nil }
        self.algorithm = algorithm
        self.octets = octets
    }

    /// A new key with its public half as SubjectPublicKeyInfo (DER).
    static func make(
        _ algorithm: KeyRequirements.Algorithm
    ) throws(KeyVaultError) -> (key: SoftwarePrivateKey, publicKey: [UInt8]) {
        switch algorithm {
        case .p256: try makeP256()
        case .rsa2048: try makeRSA()
        }
    }

    /// Draws the scalar here: the library gives its own out in memory that is not wiped.
    private static func makeP256() throws(KeyVaultError) -> (key: SoftwarePrivateKey, publicKey: [UInt8]) {
        // One number in four billion is none (FIPS 186-5, A.2.2).
        for _ in 0..<8 {
            let scalar = FreshOctets.secret(count: VaultSecret.byteCount)
            guard let fresh = try? scalar.withUnsafeBytes({ try P256.Signing.PrivateKey(rawRepresentation: $0) }),
                let key = SoftwarePrivateKey(.p256, scalar)
            else { continue }
            return (key, Array(fresh.publicKey.derRepresentation))
        }
        throw .unsupportedRequirements
    }

    private static func makeRSA() throws(KeyVaultError) -> (key: SoftwarePrivateKey, publicKey: [UInt8]) {
        guard let fresh = try? _RSA.Signing.PrivateKey(keySize: .bits2048) else { throw .unsupportedRequirements }
        guard let key = SoftwarePrivateKey(.rsa2048, SecretOctets(moving: fresh.derRepresentation)) else {
            throw .unsupportedRequirements
        }
        return (key, Array(fresh.publicKey.derRepresentation))
    }

    func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try octets.withUnsafeBytes(body)
    }

    /// The signature as ``KeyVault/sign(_:with:authorizedBy:)`` describes it.
    func signature(over message: [UInt8]) throws(KeyVaultError) -> [UInt8] {
        do {
            switch algorithm {
            case .p256:
                let key = try withUnsafeBytes { try P256.Signing.PrivateKey(rawRepresentation: $0) }
                return Array(try key.signature(for: message).rawRepresentation)
            case .rsa2048:
                let key = try withUnsafeBytes { try _RSA.Signing.PrivateKey(derRepresentation: $0) }
                return Array(try key.signature(for: message, padding: .insecurePKCS1v1_5).rawRepresentation)
            }
        } catch {
            throw .damaged
        }
    }

    /// The x coordinate of the point shared with another party.
    func agreement(with point: P256.KeyAgreement.PublicKey) throws(KeyVaultError) -> VaultSecret {
        guard algorithm == .p256 else { throw .wrongUse }
        let agreed: SharedSecret
        do {
            let key = try withUnsafeBytes { try P256.KeyAgreement.PrivateKey(rawRepresentation: $0) }
            agreed = try key.sharedSecretFromKeyAgreement(with: point)
        } catch {
            throw .damaged
        }
        guard let secret = agreed.withUnsafeBytes({ VaultSecret(copying: $0) }) else { throw .damaged }
        return secret
    }
}
