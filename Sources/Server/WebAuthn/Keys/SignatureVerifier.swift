import Crypto
import CryptoExtras
import FoundationEssentials
import X509

/// Public key in the form of the library that verifies with it; each verifies one algorithm.
enum SignatureVerifier: Sendable {
    case es256(P256.Signing.PublicKey)
    case eddsa(Curve25519.Signing.PublicKey)
    case mldsa65(MLDSA65.PublicKey)
    case rs256(_RSA.Signing.PublicKey)

    /// The key of a certificate; nil when it is not one of this algorithm.
    init?(_ key: Certificate.PublicKey, algorithm: Int64) {
        switch COSEAlgorithm(rawValue: algorithm) {
        case .es256?:
            guard let key = P256.Signing.PublicKey(key) else { return nil }
            self = .es256(key)
        case .eddsa?:
            guard let key = Curve25519.Signing.PublicKey(key) else { return nil }
            self = .eddsa(key)
        case .rs256?:
            guard let key = _RSA.Signing.PublicKey(key) else { return nil }
            self = .rs256(key)
        case .mldsa65?, nil: return nil
        }
    }

    /// The key as certificates hold it; nil for kinds that none holds here.
    var certified: Certificate.PublicKey? {
        switch self {
        case .es256(let key): Certificate.PublicKey(key)
        case .eddsa(let key): Certificate.PublicKey(key)
        case .rs256(let key): Certificate.PublicKey(key)
        case .mldsa65: nil
        }
    }

    /// Whether the signature, in the encoding of JWS (RFC 7518, section 3), was made over the message.
    func verifies(fixedLength signature: [UInt8], over message: [UInt8]) -> Bool {
        guard case .es256(let key) = self else { return verifies(signature, over: message) }
        guard let pair = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
        return key.isValidSignature(pair, for: message)
    }

    /// Whether the signature, in the encoding of section 6.5.5, was made over the message.
    func verifies(_ signature: [UInt8], over message: [UInt8]) -> Bool {
        switch self {
        case .es256(let key):
            guard let pair = try? P256.Signing.ECDSASignature(derRepresentation: signature) else { return false }
            return key.isValidSignature(pair, for: message)
        case .eddsa(let key): return key.isValidSignature(signature, for: message)
        case .mldsa65(let key): return key.isValidSignature(signature, for: message)
        case .rs256(let key):
            let number = _RSA.Signing.RSASignature(rawRepresentation: signature)
            return key.isValidSignature(number, for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5)
        }
    }
}
