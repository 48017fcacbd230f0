import Crypto
import CryptoExtras
import HardwareKeys
import Octets
import UAF

/// Derives the key that seals an authenticator's private key from the PIN and the device.
struct PINKeyDerivation: Sendable {
    /// Number of bytes of the scrypt result and of the key.
    private static let keyByteCount = 32
    private static let purpose = "signet pin v1"

    /// The part of the key that only this device can make.
    private let deviceSecret: VaultSecret

    /// Asks the vault for its part.
    init(vault: any KeyVault) async throws(AuthenticatorError) {
        do {
            deviceSecret = try await vault.deviceSecret(for: Self.purpose)
        } catch {
            throw .vault(error)
        }
    }

    /// HKDF(scrypt(PIN) || device part), bound to one credential.
    func key(
        for pin: borrowing PIN, salt: [UInt8], cost: ScryptCost, of credential: CredentialID
    ) throws(AuthenticatorError) -> SymmetricKey {
        let stretched: SymmetricKey
        do {
            stretched = try pin.withUnsafeBytes { digits in
                try Self.scrypt(digits, salt: salt, cost: cost, byteCount: Self.keyByteCount)
            }
        } catch {
            throw .derivationFailed
        }
        var material = stretched.withUnsafeBytes { Array($0) }
        defer { SecretOctets.wipe(&material) }
        deviceSecret.withUnsafeBytes { material.append(contentsOf: $0) }
        return HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: material),
            info: Array(Self.purpose.utf8) + Array(credential.aaid.text.utf8) + credential.keyID.octets,
            outputByteCount: Self.keyByteCount)
    }

    /// scrypt of RFC 7914 itself.
    static func scrypt(
        _ secret: UnsafeRawBufferPointer, salt: [UInt8], cost: ScryptCost, byteCount: Int
    ) throws -> SymmetricKey {
        try KDF.Scrypt.deriveKey(
            from: secret, salt: salt, outputByteCount: byteCount, rounds: cost.rounds, blockSize: cost.blockSize,
            parallelism: cost.parallelism)
    }
}
