import Crypto
import CryptoExtras
import Octets

extension CompactJWE {
    /// Encrypts to the holder of a key and gives the token in compact serialization.
    ///
    /// Where nothing else is asked for, the algorithm is the one the key names or prefers, the cipher A256GCM, with RSA
    /// A256CBC-HS512, and the identifier in the header the key's own or its thumbprint. Throws
    /// ``JOSEError/unsupportedKey`` when the key is for something else, ``JOSEError/algorithmMismatch`` when the
    /// algorithm is not one of the key's, and ``JOSEError/oversizedPlaintext``.
    public static func seal(
        _ plaintext: [UInt8], to key: JWK, algorithm: JWEAlgorithm? = nil, encryption: ContentEncryption? = nil,
        contentType: String? = nil, keyID: String? = nil
    ) throws(JOSEError) -> String {
        let offered = try key.encryptionAlgorithms()
        guard let algorithm = algorithm ?? offered.first, offered.contains(algorithm) else { throw .algorithmMismatch }
        let ephemeral = algorithm == .rsaOAEP256 ? nil : EphemeralAgreement()
        let header = JWEHeader(
            algorithm: algorithm, encryption: encryption ?? (algorithm == .rsaOAEP256 ? .a256CBCHS512 : .a256GCM),
            ephemeralKey: try ephemeral?.publicKey, keyID: keyID ?? key.keyID ?? JWKThumbprint(of: key).text,
            type: nil, contentType: contentType, partyU: [], partyV: [])
        let delivery = try ContentKeyDelivery(to: key, header: header, ephemeral: ephemeral)
        return try seal(plaintext, header: header, delivery: delivery)
    }

    private static func seal(
        _ plaintext: [UInt8], header: JWEHeader, delivery: ContentKeyDelivery
    ) throws(JOSEError) -> String {
        let encryption = header.encryption
        let encodedHeader = Base64URL.encode(header.json)
        let content = try encryption.seal(
            plaintext, with: delivery.contentKey, nonce: encryption.freshNonce(),
            authenticating: Array(encodedHeader.utf8))
        let parts = [delivery.encryptedKey, content.nonce, content.ciphertext, content.tag]
        let token = parts.reduce(into: encodedHeader) { $0 += "." + Base64URL.encode($1) }
        guard token.utf8.count <= maximumByteCount else { throw .oversizedPlaintext }
        return token
    }
}
