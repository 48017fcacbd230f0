import CryptoExtras
import DeviceAttestation
import FoundationEssentials
import SwiftASN1
import UAF
@_spi(FixedExpiryValidationTime) import X509

/// Validation of the attestation certificates: a path to a root of the model's metadata (RFC 5280, 6).
enum CertificatePathCheck {
    /// The extension id-fido-gen-ce-aaid.
    private static let aaidExtension: ASN1ObjectIdentifier = [1, 3, 6, 1, 4, 1, 45724, 1, 1, 1]

    /// Validates the path of `certificates` at the time `now`; gives the key of the first one.
    static func key(
        of certificates: [[UInt8]], model: AuthenticatorModel, at now: Moment
    ) async throws(CertificatePathError) -> AttestationKey {
        let chain = try parsed(certificates)
        guard let leaf = chain.first else { throw .malformed }
        for (subject, issuer) in zip(chain, chain.dropFirst()) where subject.issuer != issuer.subject {
            throw .wrongOrder
        }
        guard IssuerRules.haveDistinctNames(chain.dropFirst()) else { throw .repeatedIssuer }
        let time = Date(timeIntervalSince1970: Double(now.milliseconds) / 1000)
        if model.roots.contains(leaf) {
            // Metadata may name the attestation certificate itself; it is trusted as it is, and no authority.
            guard leaf.notValidBefore <= time, time <= leaf.notValidAfter else { throw .noValidPath }
        } else if try await !leadsToKey(chain, of: model, at: time) {
            try await requirePath(of: leaf, through: chain.dropFirst(), to: model.roots, at: time)
        }
        try requireModel(model.statement.aaid, in: leaf)
        return key(of: leaf)
    }

    /// Whether the path ends at a certificate of a public key of the metadata, whatever else that certificate says.
    private static func leadsToKey(
        _ chain: [Certificate], of model: AuthenticatorModel, at time: Date
    ) async throws(CertificatePathError) -> Bool {
        guard let leaf = chain.first, let last = chain.last, chain.count > 1, model.rootKeys.contains(last.publicKey)
        else { return false }
        do throws(CertificatePathError) {
            try await requirePath(of: leaf, through: chain.dropFirst().dropLast(), to: [last], at: time)
            return true
        } catch {
            return false
        }
    }

    private static func requirePath(
        of leaf: Certificate, through issuers: ArraySlice<Certificate>, to roots: [Certificate], at time: Date
    ) async throws(CertificatePathError) {
        var verifier = Verifier(rootCertificates: CertificateStore(roots)) {
            RFC5280Policy(fixedExpiryValidationTime: time)
            IssuerRules()
        }
        let verdict = await verifier.validate(leaf: leaf, intermediates: CertificateStore(issuers))
        guard case .validCertificate = verdict else { throw .noValidPath }
    }

    private static func parsed(_ certificates: [[UInt8]]) throws(CertificatePathError) -> [Certificate] {
        var chain: [Certificate] = []
        for octets in certificates {
            guard let certificate = try? Certificate(derEncoded: octets) else { throw .malformed }
            chain.append(certificate)
        }
        return chain
    }

    /// A certificate that names a model at all must name this one.
    private static func requireModel(_ aaid: AAID, in leaf: Certificate) throws(CertificatePathError) {
        guard let value = leaf.extensions[oid: aaidExtension]?.value else { return }
        guard let named = octetString(value), AAID(octets: named) == aaid else { throw .foreignModel }
    }

    private static func octetString(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var reader = DERReader(value)
        guard let content = try? reader.read(.octetString), (try? reader.finish()) != nil else { return nil }
        return content
    }

    private static func key(of leaf: Certificate) -> AttestationKey {
        AttestationKey(
            octets: Array(leaf.publicKey.subjectPublicKeyInfoBytes),
            isRSA: _RSA.Signing.PublicKey(leaf.publicKey) != nil)
    }
}

/// Reason to refuse attestation certificates.
@nonexhaustive
package enum CertificatePathError: Error, Hashable, Sendable {
    /// The path has not been validated; full attestation needs the asynchronous entry point.
    case notValidated
    case malformed
    /// The certificates are not in the order attestation certificate, its issuer, the issuer's issuer.
    case wrongOrder
    /// Two of the certificates that issue others name the same subject, which no path needs.
    case repeatedIssuer
    /// There is no path to a root of the metadata that RFC 5280 accepts at this time.
    case noValidPath
    /// The attestation certificate names another model.
    case foreignModel
}
