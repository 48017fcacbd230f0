import Crypto
import CryptoExtras
import UAF

/// Signature of an authentication assertion under the public key of a receipt.
///
/// FIDO Registry of Predefined Values 1.1, 3.6.1 and 3.6.2: the forms on P-256 and of RSA with 2,048 bits.
enum AssertionSignature {
    /// Whether the signature holds over these octets; throws ``ReceiptError/unknownAlgorithm``.
    static func holds(
        _ signature: [UInt8], over octets: [UInt8], by key: EncodedPublicKey, _ algorithm: AuthenticationAlgorithm
    ) throws(ReceiptError) -> Bool {
        switch algorithm {
        case .secp256r1ECDSASHA256Raw:
            return holds(try? P256.Signing.ECDSASignature(rawRepresentation: signature), over: octets, by: key)
        case .secp256r1ECDSASHA256DER:
            return holds(try? P256.Signing.ECDSASignature(derRepresentation: signature), over: octets, by: key)
        case .rsassaPSSSHA256Raw: return holds(signature[...], over: octets, by: key, padding: .PSS)
        case .rsassaPSSSHA256DER: return holds(octetString(signature), over: octets, by: key, padding: .PSS)
        case .rsaPKCS1SHA256Raw: return holds(signature[...], over: octets, by: key, padding: .insecurePKCS1v1_5)
        case .rsaPKCS1SHA256DER:
            return holds(octetString(signature), over: octets, by: key, padding: .insecurePKCS1v1_5)
        default: throw .unknownAlgorithm
        }
    }

    // MARK: - P-256

    private static func holds(
        _ signature: P256.Signing.ECDSASignature?, over octets: [UInt8], by key: EncodedPublicKey
    ) -> Bool {
        let publicKey: P256.Signing.PublicKey? =
            switch key.format {
            case .eccX962Raw: try? P256.Signing.PublicKey(x963Representation: key.octets)
            case .eccX962DER: try? P256.Signing.PublicKey(derRepresentation: key.octets)
            default: nil
            }
        guard let signature, let publicKey else { return false }
        return publicKey.isValidSignature(signature, for: SHA256.hash(data: octets))
    }

    // MARK: - RSA

    private static let modulusByteCount = 256

    private static func holds(
        _ signature: ArraySlice<UInt8>?, over octets: [UInt8], by key: EncodedPublicKey,
        padding: _RSA.Signing.Padding
    ) -> Bool {
        guard let signature, signature.count == modulusByteCount, let publicKey = rsaKey(key) else { return false }
        return publicKey.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: Array(signature)), for: SHA256.hash(data: octets),
            padding: padding)
    }

    private static func rsaKey(_ key: EncodedPublicKey) -> _RSA.Signing.PublicKey? {
        switch key.format {
        case .rsa2048Raw:
            try? _RSA.Signing.PublicKey(
                n: Array(key.octets.prefix(modulusByteCount)), e: Array(key.octets.dropFirst(modulusByteCount)))
        case .rsa2048DER:
            (try? _RSA.Signing.PublicKey(derRepresentation: subjectPublicKeyInfo(key.octets)))
                ?? (try? _RSA.Signing.PublicKey(derRepresentation: key.octets))
        default: nil
        }
    }

    /// SubjectPublicKeyInfo around an RSAPublicKey of PKCS #1 (RFC 3279, 2.3.1).
    private static func subjectPublicKeyInfo(_ key: [UInt8]) -> [UInt8] {
        let identifier: [UInt8] = [
            0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
        ]
        return element(0x30, identifier + element(0x03, [0] + key))
    }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag, 0x82, UInt8(truncatingIfNeeded: content.count >> 8), UInt8(truncatingIfNeeded: content.count)] + content
    }

    /// Content of an OCTET STRING with the length of an RSA signature; nil for anything else.
    private static func octetString(_ signature: [UInt8]) -> ArraySlice<UInt8>? {
        let head: [UInt8] = [0x04, 0x82, 0x01, 0x00]
        return signature.starts(with: head) ? signature.dropFirst(head.count) : nil
    }
}
