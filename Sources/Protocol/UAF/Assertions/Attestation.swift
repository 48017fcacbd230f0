/// Attestation of a new key.
///
/// FIDO UAF Authenticator Commands 1.1, section 5.2.1. Every signature covers the complete `TAG_UAFV1_KRD` element.
public enum Attestation: Hashable, Sendable {
    /// Signed by an attestation key; the certificates (DER) begin with its own, each issuer follows. At least one.
    case full(signature: [UInt8], certificates: [[UInt8]])
    /// Signed by the new key itself.
    case surrogate(signature: [UInt8])
    /// Signed as a member of an anonymous group.
    case ecdaa(signature: [UInt8])

    /// The type, as metadata and policies name it.
    public var type: AttestationType {
        switch self {
        case .full: .basicFull
        case .surrogate: .basicSurrogate
        case .ecdaa: .ecdaa
        }
    }

    /// The signature.
    public var signature: [UInt8] {
        switch self {
        case .full(let signature, _), .surrogate(let signature), .ecdaa(let signature): signature
        }
    }

    /// Certificates (DER) of a full attestation.
    package var certificates: [[UInt8]] {
        guard case .full(_, let certificates) = self else { return [] }
        return certificates
    }
}

extension Attestation {
    static let tags: [TLVTag] = [.attestationBasicFull, .attestationBasicSurrogate, .attestationECDAA]

    init(in fields: TLVFields) throws(TLVError) {
        let elements = fields.all(.attestationBasicFull, .attestationBasicSurrogate, .attestationECDAA)
        guard let element = elements.first, elements.count == 1 else { throw .attestationCount(elements.count) }
        try self.init(element)
    }

    private init(_ element: TLVElement) throws(TLVError) {
        let isFull = element.tag == .attestationBasicFull
        let fields = try TLVFields(
            of: element, single: [.signature], repeatable: isFull ? [.attestationCertificate] : [])
        let signature = try fields.requiredOctets(.signature)
        guard isFull else {
            self = element.tag == .attestationECDAA ? .ecdaa(signature: signature) : .surrogate(signature: signature)
            return
        }
        let certificates = fields.all(.attestationCertificate).map { Array($0.value) }
        guard !certificates.isEmpty else { throw .missingTag(.attestationCertificate) }
        self = .full(signature: signature, certificates: certificates)
    }

    func write(to writer: inout TLVWriter) throws(TLVError) {
        try writer.write(TLVTag(rawValue: type.rawValue)) { writer throws(TLVError) in
            try writer.write(.signature, signature)
            guard case .full(_, let certificates) = self else { return }
            for certificate in certificates { try writer.write(.attestationCertificate, certificate) }
        }
    }
}

/// Attestation type of a new key; the number is the tag of the attestation in the assertion.
///
/// FIDO UAF Registry 1.1, 2.1.
public struct AttestationType: RawRepresentable, Hashable, Sendable {
    /// The number on the wire; unknown ones are kept.
    public let rawValue: UInt16

    /// Accepts numbers that this version does not know.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Signed by a key that many devices of a model share, with certificates.
    public static let basicFull = AttestationType(rawValue: 0x3E07)
    /// Signed by the new key itself; proves possession only.
    public static let basicSurrogate = AttestationType(rawValue: 0x3E08)
    /// Anonymous group signature; optional, not supported here.
    public static let ecdaa = AttestationType(rawValue: 0x3E09)
}
