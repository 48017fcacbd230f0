package import Crypto
package import Foundation
package import NIOSSL
import SwiftASN1
import X509

/// A certificate authority for one test, and the server certificates it issues.
package struct TestAuthority: Sendable {
    /// What a server certificate is like; each test spoils one thing.
    package struct Wish: Sendable {
        let hosts: [String]
        let addresses: [[UInt8]]
        let start: Date
        let end: Date
        let isSelfSigned: Bool

        /// A certificate for localhost that is valid now, but for what is named.
        package init(
            hosts: [String] = ["localhost"], addresses: [[UInt8]] = [],
            start: Date = Date(timeIntervalSinceNow: -3_600), end: Date = Date(timeIntervalSinceNow: 86_400),
            isSelfSigned: Bool = false
        ) {
            self.hosts = hosts
            self.addresses = addresses
            self.start = start
            self.end = end
            self.isSelfSigned = isSelfSigned
        }

        var names: [GeneralName] {
            hosts.map { GeneralName.dnsName($0) }
                + addresses.map { GeneralName.ipAddress(ASN1OctetString(contentBytes: $0[...])) }
        }
    }

    /// A certificate with its key.
    package struct Identity: Sendable {
        let certificate: Certificate
        /// The key that the certificate is for.
        package let key: P256.Signing.PrivateKey

        /// The certificate as a transport takes it.
        package func der() throws -> [UInt8] {
            var serializer = DER.Serializer()
            try serializer.serialize(certificate)
            return serializer.serializedBytes
        }
    }

    private let key = P256.Signing.PrivateKey()
    private let name: DistinguishedName
    let certificate: Certificate

    /// A new authority with a key of its own.
    package init() throws {
        name = try DistinguishedName { CommonName("Test authority") }
        certificate = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: .init(key.publicKey),
            notValidBefore: Date(timeIntervalSinceNow: -7_200), notValidAfter: Date(timeIntervalSinceNow: 172_800),
            issuer: name, subject: name, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                Critical(KeyUsage(keyCertSign: true))
            },
            issuerPrivateKey: .init(key))
    }

    /// A new key and the certificate that the authority issues for it.
    package func identity(_ wish: Wish = Wish()) throws -> Identity {
        let own = P256.Signing.PrivateKey()
        let subject = try DistinguishedName { CommonName("Test server") }
        let certificate = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: .init(own.publicKey), notValidBefore: wish.start,
            notValidAfter: wish.end, issuer: wish.isSelfSigned ? subject : name, subject: subject,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                SubjectAlternativeNames(wish.names)
                try ExtendedKeyUsage([.serverAuth])
            },
            issuerPrivateKey: .init(wish.isSelfSigned ? own : key))
        return Identity(certificate: certificate, key: own)
    }

    /// A certificate for a host as a database server takes it.
    package func databaseCertificate(for host: String) throws -> PostgresCluster.Certificate {
        let identity = try identity(Wish(hosts: [host]))
        return PostgresCluster.Certificate(
            chain: try identity.certificate.serializeAsPEM().pemString, key: identity.key.pemRepresentation)
    }

    /// The authority's own certificate, as a transport takes it.
    package func der() throws -> [UInt8] {
        try Identity(certificate: certificate, key: key).der()
    }

    /// The authority's own certificate as text.
    package func pem() throws -> [UInt8] {
        Array(try certificate.serializeAsPEM().pemString.utf8)
    }
}

extension TestAuthority.Identity {
    /// What a server presents; `versions` and `suites` nil are the library's defaults.
    package func tlsConfiguration(
        maximum: TLSVersion? = nil, suites: [NIOTLSCipher]? = nil
    ) throws -> TLSConfiguration {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(try NIOSSLCertificate(bytes: try der(), format: .der))],
            privateKey: .privateKey(
                try NIOSSLPrivateKey(bytes: Array(key.derRepresentation), format: .der)))
        configuration.minimumTLSVersion = .tlsv1
        configuration.maximumTLSVersion = maximum
        if let suites { configuration.cipherSuiteValues = suites }
        return configuration
    }
}
