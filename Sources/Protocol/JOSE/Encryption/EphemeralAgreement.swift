package import Crypto

/// The sender's side of ECDH-ES: a key pair for one token, and the secret it shares with the receiver.
package struct EphemeralAgreement {
    private let privateKey: P256.KeyAgreement.PrivateKey

    /// A fresh key pair.
    ///
    /// A random number is a private key unless it is zero or not below the order of the curve; of 2³² numbers one is
    /// not. Made in this way a key costs a tenth: the library's own way ends with a signature that the new key makes
    /// and verifies, although this one will never sign.
    package init() {
        let candidate = try? P256.KeyAgreement.PrivateKey(rawRepresentation: SymmetricKey(size: .bits256))
        privateKey = candidate ?? P256.KeyAgreement.PrivateKey()
    }

    /// A key pair that a test brings.
    package init(privateKey: P256.KeyAgreement.PrivateKey) { self.privateKey = privateKey }

    package var publicKey: JWK.Material {
        get throws(JOSEError) { try JWK.Material(p256Point: Array(privateKey.publicKey.x963Representation)) }
    }

    /// The x coordinate of the point shared with the receiver.
    ///
    /// Throws ``JOSEError/unsupportedKey`` when that key is not on P-256.
    package func secret(with receiver: JWK) throws(JOSEError) -> SharedSecret {
        guard let point = receiver.material.p256Point else { throw .unsupportedKey }
        do {
            let key = try P256.KeyAgreement.PublicKey(x963Representation: point)
            return try privateKey.sharedSecretFromKeyAgreement(with: key)
        } catch {
            throw .unsupportedKey
        }
    }
}
