import CTSS2
import Crypto
import HardwareKeys
import Octets

/// A key that allows what a policy names it for.
///
/// One that lives for a single call and is kept nowhere allows things that can never be done again afterwards.
struct PolicySigner {
    private let key: P256.Signing.PrivateKey

    init() { key = P256.Signing.PrivateKey() }

    /// The key that ``secret()`` gave out.
    ///
    /// Throws `KeyVaultError.damaged`.
    init(_ secret: VaultSecret) throws(KeyVaultError) {
        guard let key = try? secret.withUnsafeBytes({ try P256.Signing.PrivateKey(rawRepresentation: $0) }) else {
            throw .damaged
        }
        self.key = key
    }

    /// The private key, to be kept where only the chip gives it back.
    func secret() throws(KeyVaultError) -> VaultSecret {
        var scalar = Array(key.rawRepresentation)
        defer { SecretOctets.wipe(&scalar) }
        guard let secret = VaultSecret(copying: scalar) else { throw .hardwareFailed(code: 0) }
        return secret
    }

    var publicArea: TPM2B_PUBLIC {
        let point = Array(key.publicKey.rawRepresentation)
        let middle = KeyBlobs.coordinateByteCount
        return KeyTemplate.verification(x: Array(point[..<middle]), y: Array(point[middle...]))
    }

    /// Signs for the session of that nonce, without expiry and for any parameters (TPM 2.0, part 3, 23.3).
    ///
    /// The nonce makes the signature worthless for every other session.
    func signature(for nonce: [UInt8]) throws(KeyVaultError) -> TPMT_SIGNATURE {
        let expiration: [UInt8] = [0, 0, 0, 0]
        guard let raw = try? key.signature(for: nonce + expiration).rawRepresentation else {
            throw .hardwareFailed(code: 0)
        }
        let middle = KeyBlobs.coordinateByteCount
        var signature = TPMT_SIGNATURE()
        signature.sigAlg = TPM2_ALG_ID(TPM2_ALG_ECDSA)
        signature.signature.ecdsa.hash = TPM2_ALG_ID(TPM2_ALG_SHA256)
        signature.signature.ecdsa.signatureR = TPM2B_ECC_PARAMETER(Array(raw.prefix(middle)))
        signature.signature.ecdsa.signatureS = TPM2B_ECC_PARAMETER(Array(raw.suffix(middle)))
        return signature
    }
}
