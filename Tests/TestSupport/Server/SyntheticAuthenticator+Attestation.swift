package import Crypto
import CryptoExtras
import Foundation
import SwiftASN1
package import UAF
import X509

/// Attestation authority with one root, and a key that it has certified for a model.
package struct SyntheticAttestation: Sendable {
    /// Deviations from a valid certificate.
    package struct Options: Sendable {
        /// AAID in the extension id-fido-gen-ce-aaid; nil leaves the extension out.
        package var aaid: AAID?
        /// Whether there is an intermediate certificate between root and key.
        package var hasIntermediate = false
        /// Whether the intermediate may issue certificates.
        package var isIntermediateAuthority = true
        /// Validity of the key's certificate, in seconds since 1970.
        package var validity: ClosedRange<Double> = 1_577_836_800...4_102_444_800

        /// A valid certificate.
        package init() {}
    }

    /// Root certificate (DER), for metadata.
    package let root: [UInt8]
    /// Certificates (DER) for assertions: the key's first.
    package let certificates: [[UInt8]]
    /// The certified key.
    package let key: SyntheticKey
    /// Signature algorithm of the key.
    package let algorithm: AuthenticationAlgorithm

    /// Takes a key that an authority of devices has certified.
    package init(certified key: P256.Signing.PrivateKey, _ certificates: [[UInt8]], root: [UInt8]) {
        self.key = .p256(key)
        self.certificates = certificates
        self.root = root
        algorithm = .secp256r1ECDSASHA256DER
    }

    /// Creates a new authority and a key of its own.
    package init(
        algorithm: AuthenticationAlgorithm = .secp256r1ECDSASHA256DER, options: Options = Options()
    ) throws {
        self.algorithm = algorithm
        key = try SyntheticKey(for: algorithm)
        let authority = try Authority(name: "Synthetic Root", isAuthority: true)
        root = try authority.octets
        var issuer = authority
        var issuers: [[UInt8]] = []
        if options.hasIntermediate {
            issuer = try Authority(
                name: "Synthetic Intermediate", isAuthority: options.isIntermediateAuthority, issuedBy: authority)
            issuers = [try issuer.octets]
        }
        certificates = [try issuer.certificate(of: key, options: options)] + issuers
    }
}

/// Key that signs certificates, with its own certificate.
private struct Authority {
    private let key: P256.Signing.PrivateKey
    private let name: DistinguishedName
    private let certificate: Certificate

    var octets: [UInt8] {
        get throws {
            var serializer = DER.Serializer()
            try serializer.serialize(certificate)
            return serializer.serializedBytes
        }
    }

    init(name: String, isAuthority: Bool, issuedBy issuer: Authority? = nil) throws {
        key = P256.Signing.PrivateKey()
        self.name = try DistinguishedName { CommonName(name) }
        let constraints: BasicConstraints =
            isAuthority ? .isCertificateAuthority(maxPathLength: nil) : .notCertificateAuthority
        certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: .init(key.publicKey),
            notValidBefore: Date(timeIntervalSince1970: 1_577_836_800),
            notValidAfter: Date(timeIntervalSince1970: 4_102_444_800), issuer: issuer?.name ?? self.name,
            subject: self.name, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions { Critical(constraints) },
            issuerPrivateKey: .init(issuer?.key ?? key))
    }

    func certificate(of attested: SyntheticKey, options: SyntheticAttestation.Options) throws -> [UInt8] {
        let publicKey: Certificate.PublicKey =
            switch attested {
            case .p256(let key): .init(key.publicKey)
            case .rsa(let key): .init(key.publicKey)
            case .secp256k1: throw SyntheticKey.Failure.foreignAlgorithm
            }
        var extensions = try Certificate.Extensions { Critical(BasicConstraints.notCertificateAuthority) }
        if let aaid = options.aaid {
            try extensions.append(
                Certificate.Extension(
                    oid: [1, 3, 6, 1, 4, 1, 45724, 1, 1, 1], critical: false,
                    value: [0x04, 0x09] + Array(aaid.text.utf8)[...]))
        }
        let leaf = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: publicKey,
            notValidBefore: Date(timeIntervalSince1970: options.validity.lowerBound),
            notValidAfter: Date(timeIntervalSince1970: options.validity.upperBound), issuer: name,
            subject: try DistinguishedName { CommonName("Synthetic Attestation") },
            signatureAlgorithm: .ecdsaWithSHA256, extensions: extensions, issuerPrivateKey: .init(key))
        var serializer = DER.Serializer()
        try serializer.serialize(leaf)
        return serializer.serializedBytes
    }
}
