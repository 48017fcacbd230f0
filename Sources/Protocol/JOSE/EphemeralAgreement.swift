package import Crypto

/// The sender's side of ECDH-ES: a key pair for one token, and the secret it shares with the receiver.
package struct EphemeralAgreement {
    private let privateKey: P256.KeyAgreement.PrivateKey

    /// A fresh key pair, unless a test brings one.
    package init(privateKey: P256.KeyAgreement.PrivateKey = P256.KeyAgreement.PrivateKey()) {
        self.privateKey = privateKey
    }

    /// The public half, as it stands in the header.
    package var publicKey: JWK {
        get throws(JOSEError) {
            let material = try JWK.Material(p256Point: Array(privateKey.publicKey.x963Representation))
            return try JWK(material, keyID: nil, use: nil, algorithmName: nil, operations: nil)
        }
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
