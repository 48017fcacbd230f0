extension Attestation {
    static let tags: [TLVTag] = [.attestationBasicFull, .attestationBasicSurrogate, .attestationECDAA]

    /// Reads the one attestation among the elements of a registration assertion.
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
