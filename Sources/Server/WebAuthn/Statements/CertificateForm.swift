import SwiftASN1
import X509

/// Demands of the standard on the first certificate of a statement.
extension Certificate {
    private typealias Attribute = RelativeDistinguishedName.Attribute
    private typealias Name = ASN1ObjectIdentifier.RDNAttributeType

    /// Identifier of the model in a certificate (id-fido-gen-ce-aaguid).
    private static let modelExtension: ASN1ObjectIdentifier = [1, 3, 6, 1, 4, 1, 45724, 1, 1, 4]
    /// Usage of a key that signs what a chip states (tcg-kp-AIKCertificate).
    private static let attestationUsage = ExtendedKeyUsage.Usage(oid: [2, 23, 133, 8, 3])
    /// Manufacturer, model and version of a chip.
    private static let chipAttributes: Set<ASN1ObjectIdentifier> = [
        [2, 23, 133, 2, 1], [2, 23, 133, 2, 2], [2, 23, 133, 2, 3],
    ]

    /// Whether the certificate says that it issues none; one of version 1 or 2 has no extension to say so.
    private var isOfNoAuthority: Bool {
        guard case .notCertificateAuthority? = try? extensions.basicConstraints else { return false }
        return true
    }

    /// Requires the form of an attestation certificate (section 8.2.1).
    func requirePackedForm() throws(StatementRefusal) {
        let attributes = subject.flatMap { Array($0) }
        guard isOfNoAuthority,
            [Name.countryName, Name.organizationName, Name.commonName].allSatisfy({ type in
                attributes.contains { $0.type == type }
            }),
            attributes.contains(where: {
                $0.type == Name.organizationalUnitName
                    && String($0.value)?.utf8.elementsEqual("Authenticator Attestation".utf8) == true
            })
        else { throw .certificateForm }
    }

    /// Requires the form of a certificate of a chip's attestation key (section 8.3.1).
    func requireAttestationKeyForm() throws(StatementRefusal) {
        guard isOfNoAuthority, subject.isEmpty,
            (try? extensions.extendedKeyUsage)?.contains(Self.attestationUsage) == true
        else { throw .certificateForm }
        let names = (try? extensions.subjectAlternativeNames).flatMap(\.self) ?? SubjectAlternativeNames()
        let isOfChip = names.contains { name in
            guard case .directoryName(let directory) = name else { return false }
            return Self.chipAttributes.isSubset(of: directory.flatMap { $0.map(\.type) })
        }
        guard isOfChip else { throw .certificateForm }
    }

    /// Requires that a certificate that names a model names this one; the extension must not be critical.
    func requireModel(_ model: AAGUID) throws(StatementRefusal) {
        guard let named = extensions[oid: Self.modelExtension] else { return }
        guard !named.critical, let octets = try? ASN1OctetString(derEncoded: Array(named.value)),
            octets.bytes.elementsEqual(model.octets)
        else { throw .foreignModel }
    }
}
