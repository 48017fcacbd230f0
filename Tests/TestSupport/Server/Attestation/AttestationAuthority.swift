import Crypto
import Foundation
package import SwiftASN1
package import X509

/// Authority that certifies keys of devices in tests: a root, and an intermediate authority that issues.
///
/// It plays the part of manufacturers; no certificate of theirs is used.
package struct AttestationAuthority: Sendable {
    /// Certificate of a key; each test changes one thing.
    package struct Wish: Sendable {
        /// Extensions besides the basic constraints.
        package var extensions: [Certificate.Extension] = []
        /// Purposes of the key (extended key usage); none leaves the extension out.
        package var usages: [ASN1ObjectIdentifier] = []
        /// Whether the key may issue certificates.
        package var isAuthority = false
        /// Validity in seconds since 1970.
        package var validity: ClosedRange<Double> = 1_577_836_800...4_102_444_800
        /// Name of the subject.
        package var subject = try? DistinguishedName { CommonName("Synthetic Device Key") }
        /// Serial number; nil draws one.
        package var serial: [UInt8]?

        /// A certificate with nothing but its key.
        package init(extensions: [Certificate.Extension] = []) {
            self.extensions = extensions
        }
    }

    private static let start = Date(timeIntervalSince1970: 1_577_836_800)
    private static let end = Date(timeIntervalSince1970: 4_102_444_800)

    private let key = P256.Signing.PrivateKey()
    private let name: DistinguishedName
    private let issuer: Certificate
    /// Root certificate (DER).
    package let root: [UInt8]
    /// Certificate of the intermediate authority (DER), issued by the root.
    package let intermediate: [UInt8]

    /// Makes an authority; an intermediate that may not issue spoils every path.
    package init(isIntermediateAuthority: Bool = true, extensions: [Certificate.Extension] = []) throws {
        let rootKey = P256.Signing.PrivateKey()
        let rootName = try DistinguishedName { CommonName("Synthetic Device Root") }
        name = try DistinguishedName { CommonName("Synthetic Device Authority") }
        let root = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: .init(rootKey.publicKey), notValidBefore: Self.start,
            notValidAfter: Self.end, issuer: rootName, subject: rootName, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
            },
            issuerPrivateKey: .init(rootKey))
        let constraints: BasicConstraints =
            isIntermediateAuthority ? .isCertificateAuthority(maxPathLength: nil) : .notCertificateAuthority
        var own = try Certificate.Extensions { Critical(constraints) }
        for element in extensions { try own.append(element) }
        issuer = try Certificate(
            version: .v3, serialNumber: .init(bytes: [0x5A, 1]), publicKey: .init(key.publicKey),
            notValidBefore: Self.start, notValidAfter: Self.end, issuer: rootName, subject: name,
            signatureAlgorithm: .ecdsaWithSHA256, extensions: own, issuerPrivateKey: .init(rootKey))
        self.root = try Self.octets(of: root)
        intermediate = try Self.octets(of: issuer)
    }

    /// Root certificate in PEM form, as manufacturers publish theirs.
    package var rootText: [UInt8] { Array(PEMDocument(type: "CERTIFICATE", derBytes: root).pemString.utf8) }

    /// Certificates (DER) for a key: its own, and the intermediate authority's.
    package func certificates(for key: Certificate.PublicKey, _ wish: Wish = Wish()) throws -> [[UInt8]] {
        let constraints: BasicConstraints =
            wish.isAuthority ? .isCertificateAuthority(maxPathLength: nil) : .notCertificateAuthority
        var extensions = try Certificate.Extensions {
            Critical(constraints)
            if !wish.usages.isEmpty { try ExtendedKeyUsage(wish.usages.map { .init(oid: $0) }) }
        }
        for element in wish.extensions { try extensions.append(element) }
        let leaf = try Certificate(
            version: .v3, serialNumber: wish.serial.map { .init(bytes: $0) } ?? .init(), publicKey: key,
            notValidBefore: Date(timeIntervalSince1970: wish.validity.lowerBound),
            notValidAfter: Date(timeIntervalSince1970: wish.validity.upperBound), issuer: name,
            subject: wish.subject ?? DistinguishedName(), signatureAlgorithm: .ecdsaWithSHA256,
            extensions: extensions, issuerPrivateKey: .init(self.key))
        return [try Self.octets(of: leaf), intermediate]
    }

    private static func octets(of certificate: Certificate) throws -> [UInt8] {
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return serializer.serializedBytes
    }
}
