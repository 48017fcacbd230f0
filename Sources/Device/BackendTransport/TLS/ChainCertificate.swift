import Crypto
import CryptoExtras

/// Certificate fields that pinning needs (RFC 5280, section 4.1): public key, subject and issuer.
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
    /// Algorithm of the signature as a dotted object identifier; nil when it has none that can be written so.
    var signatureAlgorithm: String? { Self.dotted(algorithm) }

    /// Whether the signature is over MD5 or SHA-1, for which collisions can be found.
    var isSignedWeakly: Bool {
        algorithm == Self.rsa + [0x04] || algorithm == Self.rsa + [0x05]
            || algorithm == [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x01]
    }

    /// Dotted form of the content of an object identifier (X.690, 8.19); nil where an arc has more than 31 bits.
    private static func dotted(_ content: [UInt8]) -> String? {
        var arcs: [UInt32] = []
        var arc: UInt32 = 0
        for octet in content {
            guard arc < 1 << 24 else { return nil }
            arc = arc << 7 | UInt32(octet & 0x7F)
            guard octet & 0x80 == 0 else { continue }
            arcs.append(arc)
            arc = 0
        }
        guard let first = arcs.first, let last = content.last, last & 0x80 == 0 else { return nil }
        let root = min(first / 40, 2)
        return ([root, first - root * 40] + arcs.dropFirst()).map { String($0) }.joined(separator: ".")
    }

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

/// The elements of a DER encoding, one after the other (X.690, definite lengths and tags of one byte only).
struct DERReading: Sendable {
    /// Error for bytes that are not the expected DER.
    struct Malformed: Error, Hashable {}

    /// One element.
    struct Element: Sendable {
        let tag: UInt8
        /// Tag, length and content.
        let whole: ArraySlice<UInt8>
        let content: ArraySlice<UInt8>

        var parts: DERReading { DERReading(content) }
    }

    private var rest: ArraySlice<UInt8>

    init(_ octets: ArraySlice<UInt8>) { rest = octets }

    var isAtEnd: Bool { rest.isEmpty }

    /// The next element if it has that tag; nil, and nothing read, otherwise.
    mutating func optional(_ tag: UInt8) throws(Malformed) -> Element? {
        guard rest.first == tag else { return nil }
        return try next()
    }

    mutating func required(_ tag: UInt8) throws(Malformed) -> Element {
        guard let element = try optional(tag) else { throw Malformed() }
        return element
    }

    mutating func next() throws(Malformed) -> Element {
        let whole = rest
        guard let tag = rest.popFirst(), tag & 0x1F != 0x1F else { throw Malformed() }
        let count = try length()
        guard count <= rest.count else { throw Malformed() }
        let content = rest.prefix(count)
        rest = rest.dropFirst(count)
        return Element(tag: tag, whole: whole.prefix(content.endIndex - whole.startIndex), content: content)
    }

    /// At most three bytes of length: certificates end at 16 MiB, and nothing can overflow.
    private mutating func length() throws(Malformed) -> Int {
        guard let first = rest.popFirst() else { throw Malformed() }
        guard first >= 0x80 else { return Int(first) }
        let byteCount = Int(first & 0x7F)
        guard (1...3).contains(byteCount), rest.count >= byteCount, rest.first != 0 else { throw Malformed() }
        let length = rest.prefix(byteCount).reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(byteCount)
        guard length >= 0x80 else { throw Malformed() }
        return length
    }
}
