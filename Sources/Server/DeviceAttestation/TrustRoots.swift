package import FoundationEssentials
package import SwiftASN1
@_spi(FixedExpiryValidationTime) package import X509

/// Root certificates that one kind of statement may end at.
package struct TrustRoots: Hashable, Sendable {
    static let certificateLimit = 8
    static let certificateByteLimit = 16 * 1024

    private let certificates: [Certificate]

    /// Takes root certificates (DER); throws ``PathRefusal/malformed`` when one cannot be read.
    package init(_ certificates: [[UInt8]]) throws(PathRefusal) {
        self.certificates = try certificates.map { octets throws(PathRefusal) in try Self.certificate(octets) }
    }

    /// Takes the certificates in texts in PEM form (RFC 7468); throws ``PathRefusal/malformed`` when a text holds none,
    /// or one cannot be read.
    package init(pemTexts: [[UInt8]]) throws(PathRefusal) {
        var certificates: [[UInt8]] = []
        for text in pemTexts {
            let documents = try? PEMDocument.parseMultiple(pemString: String(decoding: text, as: UTF8.self))
            let found = (documents ?? []).filter { $0.discriminator == "CERTIFICATE" }
            guard !found.isEmpty else { throw .malformed }
            certificates += found.map { Array($0.derBytes) }
        }
        try self.init(certificates)
    }

    /// The certificates of a valid path, the leaf first and the root last (RFC 5280, section 6).
    ///
    /// `processed` names critical extensions that the caller judges itself. A root may end the list of certificates;
    /// without it the path is looked for. With `takesRootItself` a certificate of a statement may be one of the roots,
    /// as metadata name certificates of models. Throws ``PathRefusal``.
    package func path(
        of certificates: [[UInt8]], at time: Date, processing processed: [ASN1ObjectIdentifier] = [],
        takesRootItself: Bool = false
    ) async throws(PathRefusal) -> [Certificate] {
        guard certificates.count <= Self.certificateLimit else { throw .tooLong }
        let chain = try certificates.map { octets throws(PathRefusal) in try Self.certificate(octets) }
        guard let leaf = chain.first else { throw .malformed }
        for (subject, issuer) in zip(chain, chain.dropFirst()) where subject.issuer != issuer.subject {
            throw .wrongOrder
        }
        guard IssuerRules.haveDistinctNames(chain.dropFirst()) else { throw .repeatedIssuer }
        if self.certificates.contains(leaf) {
            // A root is trusted to issue; as the subject of a statement it proves nothing about a device.
            guard takesRootItself, leaf.notValidBefore <= time, time <= leaf.notValidAfter else { throw .noValidPath }
            return [leaf]
        }
        var verifier = Verifier(rootCertificates: CertificateStore(self.certificates)) {
            RFC5280Policy(fixedExpiryValidationTime: time)
            IssuerRules(judgedElsewhere: processed)
        }
        let verdict = await verifier.validate(leaf: leaf, intermediates: CertificateStore(chain.dropFirst()))
        guard case .validCertificate(let path) = verdict else { throw .noValidPath }
        // The path that was found, with the certificates of the store: what is judged of it later is what counts.
        return Array(path)
    }

    /// Reads a certificate (DER) of at most 16 KiB; throws ``PathRefusal/malformed``.
    package static func certificate(_ octets: [UInt8]) throws(PathRefusal) -> Certificate {
        guard octets.count <= certificateByteLimit, let certificate = try? Certificate(derEncoded: octets),
            hasWholeSignature(octets)
        else { throw .malformed }
        return certificate
    }

    /// Whether the signature fills its bit string.
    ///
    /// The reader of certificates does not look at the number of unused bits, so that a certificate had two spellings.
    private static func hasWholeSignature(_ octets: [UInt8]) -> Bool {
        guard let node = try? DER.parse(octets), case .constructed(let fields) = node.content,
            let last = Array(fields).last, let signature = try? ASN1BitString(derEncoded: last)
        else { return false }
        return signature.paddingBits == 0
    }
}
