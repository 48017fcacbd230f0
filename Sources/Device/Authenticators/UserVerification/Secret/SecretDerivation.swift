import Crypto
import CryptoExtras
import HardwareKeys
import Octets
import UAF

/// Derives the secret that authorises an authenticator's key from what the user typed.
///
/// `HKDF-SHA256(scrypt(text), purpose || AAID || KeyID)`, then the mask of the record; the purpose is `pin-auth` or
/// `password-auth`. The last byte is never zero: a TPM drops trailing zeros of such values.
enum SecretDerivation {
    /// The secret for one credential; it does not tell yet whether the entry was right.
    ///
    /// Throws ``AuthenticatorError/derivationFailed``.
    static func derive(
        from entry: borrowing UserSecret, _ record: SecretRecord, of credential: CredentialID
    ) throws(AuthenticatorError) -> VaultSecret {
        let derived = try derivedOctets(from: entry, record, of: credential)
        let octets = SecretOctets(count: VaultSecret.byteCount) { target in
            derived.withUnsafeBytes { target.copyMemory(from: $0) }
            for (index, mask) in record.mask.enumerated() { target[index] ^= mask }
            target[target.count - 1] |= 1
        }
        guard let secret = octets.withUnsafeBytes({ VaultSecret(copying: $0) }) else { throw .derivationFailed }
        return secret
    }

    /// A record of another cost that leads from the same entry to the same secret.
    static func record(
        _ cost: ScryptCost, leadingFrom entry: borrowing UserSecret, to secret: VaultSecret, of credential: CredentialID
    ) throws(AuthenticatorError) -> SecretRecord {
        let record = SecretRecord.fresh(cost)
        let octets = try derivedOctets(from: entry, record, of: credential)
        let mask = secret.withUnsafeBytes { secret in
            octets.withUnsafeBytes { octets in zip(octets, secret).map { $0 ^ $1 } }
        }
        return SecretRecord(salt: record.salt, cost: cost, mask: mask)
    }

    /// scrypt of RFC 7914 itself.
    static func scrypt(
        _ secret: UnsafeRawBufferPointer, salt: [UInt8], cost: ScryptCost, byteCount: Int
    ) throws -> SymmetricKey {
        defer { FreedMemory.wipe(.derivedKey) }
        return try KDF.Scrypt.deriveKey(
            from: secret, salt: salt, outputByteCount: byteCount, rounds: cost.rounds, blockSize: cost.blockSize,
            parallelism: cost.parallelism)
    }

    private static func derivedOctets(
        from entry: borrowing UserSecret, _ record: SecretRecord, of credential: CredentialID
    ) throws(AuthenticatorError) -> VaultSecret {
        let stretched: SymmetricKey
        do {
            stretched = try entry.withUnsafeBytes { typed in
                try scrypt(typed, salt: record.salt, cost: record.cost, byteCount: VaultSecret.byteCount)
            }
        } catch {
            throw .derivationFailed
        }
        let info = Array(entry.purpose.utf8) + Array(credential.aaid.text.utf8) + credential.keyID.octets
        return stretched.withUnsafeBytes { SecretHash.hkdf(from: $0, info: info) }
    }
}

extension UserSecret {
    /// Domain separation label, so that a PIN and a password of the same characters lead to unrelated secrets.
    fileprivate var purpose: String { kind == .pin ? "pin-auth" : "password-auth" }
}
