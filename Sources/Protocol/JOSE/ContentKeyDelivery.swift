import Crypto
import CryptoExtras
import Octets

/// A content key and the form in which it travels to the receiver.
struct ContentKeyDelivery {
    /// The key of the content.
    let contentKey: SymmetricKey
    /// The second part of the token; empty where the content key is agreed on.
    let encryptedKey: [UInt8]

    /// Hands a content key to the holder of `key`, in the way that the header says.
    ///
    /// `ephemeral` is the key pair whose public half stands in the header; nil with RSA. Throws
    /// ``JOSEError/unsupportedKey``.
    init(to key: JWK, header: JWEHeader, ephemeral: EphemeralAgreement?) throws(JOSEError) {
        let size = SymmetricKeySize(bitCount: header.encryption.keyByteCount * 8)
        guard let ephemeral else {
            contentKey = SymmetricKey(size: size)
            encryptedKey = try Self.encrypted(contentKey, to: key)
            return
        }
        let agreed = try unsafe ephemeral.secret(with: key).withUnsafeBytes { unsafe header.agreedKey(from: $0) }
        if header.algorithm == .ecdhES {
            contentKey = agreed
            encryptedKey = []
        } else {
            contentKey = SymmetricKey(size: size)
            encryptedKey = try KeyWrap.wrap(contentKey, with: agreed)
        }
    }

    /// The content key encrypted with RSA-OAEP over SHA-256 (RFC 7518, 4.3).
    private static func encrypted(_ contentKey: SymmetricKey, to key: JWK) throws(JOSEError) -> [UInt8] {
        guard case .rsa(let modulus, let exponent) = key.material else { throw .unsupportedKey }
        var octets = unsafe contentKey.withUnsafeBytes { unsafe Array($0) }
        defer { SecretOctets.wipe(&octets) }
        do {
            let receiver = try _RSA.Encryption.PublicKey(n: modulus, e: exponent)
            return Array(try receiver.encrypt(octets, padding: .PKCS1_OAEP_SHA256))
        } catch {
            throw .unsupportedKey
        }
    }
}
