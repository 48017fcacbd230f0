import Crypto
import CryptoExtras

/// What pinning needs of a certificate (RFC 5280, section 4.1): its key, who it is, and who has signed it.
struct ChainCertificate: Hashable, Sendable {
    /// SHA-256 of the SubjectPublicKeyInfo, whatever the kind of the key.
    let pin: PublicKeyPin
    /// The name of its holder, as DER.
    let subject: [UInt8]
    /// The name of who has signed it, as DER.
    let issuer: [UInt8]
    /// Whether its key may sign certificates (section 4.2.1.9).
    let isAuthority: Bool
    private let publicKeyInfo: [UInt8]
    private let signed: [UInt8]
    private let algorithm: [UInt8]
    private let signature: [UInt8]

    /// Reads a certificate in DER form.
    init(der: [UInt8]) throws(DERReading.Malformed) {
        var file = DERReading(der[...])
        var parts = try file.required(0x30).parts
        guard file.isAtEnd else { throw .init() }
        let content = try parts.required(0x30)
        var kind = try parts.required(0x30).parts
        let bits = try parts.required(0x03).content
        guard bits.first == 0, parts.isAtEnd else { throw .init() }
        signed = Array(content.whole)
        algorithm = Array(try kind.required(0x06).content)
        signature = Array(bits.dropFirst())

        var fields = content.parts
        _ = try fields.optional(0xA0)
        _ = try fields.required(0x02)
        _ = try fields.required(0x30)
        issuer = Array(try fields.required(0x30).whole)
        _ = try fields.required(0x30)
        subject = Array(try fields.required(0x30).whole)
        publicKeyInfo = Array(try fields.required(0x30).whole)
        guard let pin = PublicKeyPin(Array(SHA256.hash(data: publicKeyInfo))) else { throw .init() }
        self.pin = pin
        _ = try fields.optional(0x81)
        _ = try fields.optional(0x82)
        isAuthority = try fields.optional(0xA3).map(Self.namesAuthority) ?? false
    }

    /// Whether the extension for basic constraints says that this is an authority.
    private static func namesAuthority(_ field: DERReading.Element) throws(DERReading.Malformed) -> Bool {
        var outer = field.parts
        var extensions = try outer.required(0x30).parts
        while !extensions.isAtEnd {
            var parts = try extensions.required(0x30).parts
            let identifier = try parts.required(0x06).content
            _ = try parts.optional(0x01)
            var value = try parts.required(0x04).parts
            guard identifier.elementsEqual([0x55, 0x1D, 0x13]) else { continue }
            var constraints = try value.required(0x30).parts
            return try constraints.optional(0x01)?.content.elementsEqual([0xFF]) ?? false
        }
        return false
    }
}

// MARK: - Signatures

extension ChainCertificate {
    /// Whether the key of another certificate, an authority of the name that stands in this one, has signed this one.
    ///
    /// ECDSA and RSA with PKCS #1 v1.5, with SHA-2; any other signature counts as none.
    func isSigned(by other: ChainCertificate) -> Bool {
        guard other.isAuthority, other.subject == issuer else { return false }
        return switch algorithm {
        case [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]: isECDSA(SHA256.hash(data: signed), other.publicKeyInfo)
        case [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x03]: isECDSA(SHA384.hash(data: signed), other.publicKeyInfo)
        case [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x04]: isECDSA(SHA512.hash(data: signed), other.publicKeyInfo)
        case Self.rsa + [0x0B]: isRSA(SHA256.hash(data: signed), other.publicKeyInfo)
        case Self.rsa + [0x0C]: isRSA(SHA384.hash(data: signed), other.publicKeyInfo)
        case Self.rsa + [0x0D]: isRSA(SHA512.hash(data: signed), other.publicKeyInfo)
        default: false
        }
    }

    /// The first bytes of the identifiers of PKCS #1 (RFC 8017, appendix A.2).
    private static let rsa: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01]

    private func isECDSA(_ digest: some Digest, _ key: [UInt8]) -> Bool {
        if let key = try? P256.Signing.PublicKey(derRepresentation: key),
            let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature)
        {
            return key.isValidSignature(signature, for: digest)
        }
        if let key = try? P384.Signing.PublicKey(derRepresentation: key),
            let signature = try? P384.Signing.ECDSASignature(derRepresentation: signature)
        {
            return key.isValidSignature(signature, for: digest)
        }
        if let key = try? P521.Signing.PublicKey(derRepresentation: key),
            let signature = try? P521.Signing.ECDSASignature(derRepresentation: signature)
        {
            return key.isValidSignature(signature, for: digest)
        }
        return false
    }

    private func isRSA(_ digest: some Digest, _ key: [UInt8]) -> Bool {
        guard let key = try? _RSA.Signing.PublicKey(derRepresentation: key) else { return false }
        return key.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: signature), for: digest, padding: .insecurePKCS1v1_5)
    }
}
