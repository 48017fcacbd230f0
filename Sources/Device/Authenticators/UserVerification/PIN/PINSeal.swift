import Crypto
import HardwareKeys
import Octets
import UAF

/// Seals a private key under a PIN and opens it again.
struct PINSeal: Sendable {
    private let derivation: PINKeyDerivation
    private let protection: PINProtection

    init(_ ports: AuthenticatorPorts) async throws(AuthenticatorError) {
        derivation = try await PINKeyDerivation(vault: ports.vault)
        protection = ports.pinProtection
    }

    /// Makes a record with a fresh salt at the present cost.
    func seal(
        _ key: SecretKey, under pin: borrowing PIN, of credential: CredentialID, bound token: AccessToken
    ) throws(AuthenticatorError) -> PINRecord {
        let salt = FreshOctets.make(count: PINRecord.saltByteCount)
        let sealingKey = try derivation.key(for: pin, salt: salt, cost: protection.cost, of: credential)
        do {
            let box = try key.withUnsafeBytes { scalar in
                try AES.GCM.seal(scalar, using: sealingKey, authenticating: token.octets)
            }
            return PINRecord(
                salt: salt, cost: protection.cost, sealedKey: Array(box.nonce) + box.ciphertext + box.tag)
        } catch {
            throw .derivationFailed
        }
    }

    /// Derives the key of a record, which tells nothing yet about the PIN.
    func sealingKey(
        for record: PINRecord, pin: borrowing PIN, of credential: CredentialID
    ) throws(AuthenticatorError) -> SymmetricKey {
        do {
            try protection.require(record.cost)
        } catch {
            throw .unacceptableCost(error)
        }
        return try derivation.key(for: pin, salt: record.salt, cost: record.cost, of: credential)
    }

    /// The record at the present cost, when a stored one has become too cheap (SDK-8); nil when it has not.
    func renewed(
        _ record: PINRecord, for key: SecretKey, under pin: borrowing PIN, of credential: CredentialID,
        bound token: AccessToken
    ) throws(AuthenticatorError) -> PINRecord? {
        guard protection.outgrows(record.cost) else { return nil }
        return try seal(key, under: pin, of: credential, bound: token)
    }

    /// Opens a record; nil means that the PIN was wrong.
    static func open(_ record: PINRecord, with key: SymmetricKey, bound token: AccessToken) -> SecretKey? {
        guard let box = try? AES.GCM.SealedBox(combined: record.sealedKey),
            var scalar = try? Array(AES.GCM.open(box, using: key, authenticating: token.octets))
        else { return nil }
        defer { SecretOctets.wipe(&scalar) }
        return SecretKey(SecretOctets(copying: scalar))
    }
}
