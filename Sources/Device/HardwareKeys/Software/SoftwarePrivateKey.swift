import Crypto
import CryptoExtras
import Octets

/// A private key of a software vault on its way to one use; it is wiped when nobody holds it any more.
///
/// The bytes are the scalar for P-256, and PKCS#1 RSAPrivateKey (DER) for RSA.
final class SoftwarePrivateKey: Sendable {
    /// The most bytes of a private key.
    static let byteLimit = 1_280

    let algorithm: KeyRequirements.Algorithm
    private let octets: SecretOctets

    /// Takes the bytes of a stored key; nil for a number of bytes that no such key has.
    ///
    /// Wiping the source is the caller's business.
    init?(_ algorithm: KeyRequirements.Algorithm, copying bytes: [UInt8]) {
        let isPossible =
            switch algorithm {
            case .p256: bytes.count == VaultSecret.byteCount
            case .rsa2048: (1...Self.byteLimit).contains(bytes.count)
            }
        guard isPossible else { return nil }
        self.algorithm = algorithm
        octets = SecretOctets(copying: bytes)
    }

    /// A new key with its public half as SubjectPublicKeyInfo (DER).
    static func make(
        _ algorithm: KeyRequirements.Algorithm
    ) throws(KeyVaultError) -> (key: SoftwarePrivateKey, publicKey: [UInt8]) {
        var bytes: [UInt8]
        let publicKey: [UInt8]
        switch algorithm {
        case .p256:
            let fresh = P256.Signing.PrivateKey()
            (bytes, publicKey) = (Array(fresh.rawRepresentation), Array(fresh.publicKey.derRepresentation))
        case .rsa2048:
            guard let fresh = try? _RSA.Signing.PrivateKey(keySize: .bits2048) else { throw .unsupportedRequirements }
            (bytes, publicKey) = (Array(fresh.derRepresentation), Array(fresh.publicKey.derRepresentation))
        }
        defer { SecretOctets.wipe(&bytes) }
        guard let key = SoftwarePrivateKey(algorithm, copying: bytes) else { throw .unsupportedRequirements }
        return (key, publicKey)
    }

    /// Lends the bytes for the length of `body`; the pointer must not leave it.
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
