import Crypto
import CryptoExtras
import HardwareKeys
import Octets
import UAF

/// Derives the secret that authorises an authenticator's key from the PIN.
///
/// `HKDF-SHA256(scrypt(PIN), "pin-auth" || AAID || KeyID)`, then the mask of the record. The last byte is never zero:
/// a TPM drops trailing zeros of such values.
enum PINSecret {
    /// The secret for one credential; it tells nothing yet about the PIN.
    ///
    /// Throws ``AuthenticatorError/derivationFailed``.
    static func derive(
        from pin: borrowing PIN, _ record: PINRecord, of credential: CredentialID
    ) throws(AuthenticatorError) -> VaultSecret {
        var octets = try derivedOctets(from: pin, record, of: credential)
        defer { SecretOctets.wipe(&octets) }
        for (index, mask) in record.mask.enumerated() { octets[index] ^= mask }
        octets[octets.count - 1] |= 1
        guard let secret = VaultSecret(copying: octets) else { throw .derivationFailed }
        return secret
    }

    /// A record of another cost that leads from the same PIN to the same secret (SDK-8).
    static func record(
        _ cost: ScryptCost, leadingFrom pin: borrowing PIN, to secret: VaultSecret, of credential: CredentialID
    ) throws(AuthenticatorError) -> PINRecord {
        let record = PINRecord.fresh(cost)
        var octets = try derivedOctets(from: pin, record, of: credential)
        defer { SecretOctets.wipe(&octets) }
        let mask = secret.withUnsafeBytes { secret in zip(octets, secret).map { $0 ^ $1 } }
        return PINRecord(salt: record.salt, cost: cost, mask: mask)
    }

    /// scrypt of RFC 7914 itself.
    static func scrypt(
        _ secret: UnsafeRawBufferPointer, salt: [UInt8], cost: ScryptCost, byteCount: Int
    ) throws -> SymmetricKey {
        try KDF.Scrypt.deriveKey(
            from: secret, salt: salt, outputByteCount: byteCount, rounds: cost.rounds, blockSize: cost.blockSize,
            parallelism: cost.parallelism)
    }

    private static func derivedOctets(
        from pin: borrowing PIN, _ record: PINRecord, of credential: CredentialID
    ) throws(AuthenticatorError) -> [UInt8] {
        let stretched: SymmetricKey
        do {
            stretched = try pin.withUnsafeBytes { digits in
                try scrypt(digits, salt: record.salt, cost: record.cost, byteCount: VaultSecret.byteCount)
            }
        } catch {
            throw .derivationFailed
        }
        let derived = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: stretched,
            info: Array("pin-auth".utf8) + Array(credential.aaid.text.utf8) + credential.keyID.octets,
            outputByteCount: VaultSecret.byteCount)
        return derived.withUnsafeBytes { Array($0) }
    }
}
