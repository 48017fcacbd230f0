import Crypto
import CryptoExtras

extension JWK {
    /// A key for encrypting to the holder of the private key; says what it is for.
    ///
    /// On P-256 that is ECDH-ES+A256KW, with RSA RSA-OAEP-256. Throws ``JOSEError/unsupportedKey`` for the reasons of
    /// ``init(verifying:keyID:)``.
    public init(encrypting material: Material, keyID: String? = nil) throws(JOSEError) {
        let algorithm = Self.encryptionAlgorithms(for: material)[0]
        try self.init(material, keyID: keyID, use: .encryption, algorithmName: algorithm.rawValue, operations: nil)
    }

    /// The algorithms that may hand over a content key to this key, the one to prefer first.
    ///
    /// Throws ``JOSEError/unsupportedKey`` when the key says that it is for something else.
    public func encryptionAlgorithms() throws(JOSEError) -> [JWEAlgorithm] {
        guard use != .signature, allowsEncryption else { throw .unsupportedKey }
        let offered = Self.encryptionAlgorithms(for: material)
        guard let algorithmName else { return offered }
        guard let algorithm = JWEAlgorithm(exactly: algorithmName), offered.contains(algorithm) else {
            throw .unsupportedKey
        }
        return [algorithm]
    }

    /// Whether the listed operations, if there are any, have one that encrypting needs (RFC 7517, 4.3).
    private var allowsEncryption: Bool {
        guard let operations else { return true }
        switch material {
        case .p256: return operations.contains("deriveKey") || operations.contains("deriveBits")
        case .rsa: return operations.contains("wrapKey") || operations.contains("encrypt")
        }
    }

    private static func encryptionAlgorithms(for material: Material) -> [JWEAlgorithm] {
        switch material {
        case .p256: [.ecdhESA256KW, .ecdhES, .ecdhESA128KW]
        case .rsa: [.rsaOAEP256]
        }
    }
}
