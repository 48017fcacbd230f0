import Crypto
package import FoundationEssentials
import Octets
import SwiftASN1
import X509

/// A certificate authority that the server makes for itself, so that phones on the same machine can trust it.
///
/// Its certificate is given to them as `ca.pem`; it may sign for the loopback names only.
package struct LoopbackAuthority: Sendable {
    package let certificatePEM: String
    /// The authority's private key in PEM form; secret.
    package var privateKeyPEM: String { sensitivePrivateKeyPEM.reveal() }
    private let sensitivePrivateKeyPEM: Sensitive<String>

    private static let lifetime: TimeInterval = 3_650 * 86_400
    private static let serverLifetime: TimeInterval = 397 * 86_400
    /// Clocks that are a little behind still accept a fresh certificate.
    private static let allowance: TimeInterval = 3_600

    package init(certificatePEM: String, privateKeyPEM: String) {
        self.certificatePEM = certificatePEM
        sensitivePrivateKeyPEM = Sensitive(privateKeyPEM)
    }

    /// Makes a new authority, valid for ten years from `now`.
    package static func make(now: Date) throws(ServerIdentityError) -> LoopbackAuthority {
        let key = P256.Signing.PrivateKey()
        do {
            let name = try DistinguishedName { CommonName("Signet loopback authority \(shortName(of: key))") }
            let certificate = try Certificate(
                version: .v3, serialNumber: .init(), publicKey: .init(key.publicKey),
                notValidBefore: now - allowance, notValidAfter: now + lifetime, issuer: name, subject: name,
                signatureAlgorithm: .ecdsaWithSHA256,
                extensions: try Certificate.Extensions {
                    Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                    Critical(KeyUsage(keyCertSign: true))
                    SubjectKeyIdentifier(hash: Certificate.PublicKey(key.publicKey))
                }, issuerPrivateKey: .init(key))
            return LoopbackAuthority(
                certificatePEM: try certificate.serializeAsPEM().pemString + "\n",
                privateKeyPEM: key.pemRepresentation + "\n")
        } catch {
            throw .unusableAuthority
        }
    }

    /// Signs a fresh certificate for `localhost`, `127.0.0.1` and `::1`, valid for 397 days from `now`.
    package func identity(now: Date) throws(ServerIdentityError) -> (identity: ServerIdentity, privateKeyPEM: String) {
        let key = P256.Signing.PrivateKey()
        do {
            let certificate = try certificate(for: key, now: now)
            let chain = try certificate.serializeAsPEM().pemString + "\n" + certificatePEM
            return (ServerIdentity(chainPEM: chain, privateKeyPEM: key.pemRepresentation), key.pemRepresentation)
        } catch {
            throw .unusableAuthority
        }
    }

    private func certificate(for key: P256.Signing.PrivateKey, now: Date) throws -> Certificate {
        let authority = try Certificate(pemEncoded: certificatePEM)
        let signer = try P256.Signing.PrivateKey(pemRepresentation: privateKeyPEM)
        return try Certificate(
            version: .v3, serialNumber: .init(), publicKey: .init(key.publicKey),
            notValidBefore: now - Self.allowance, notValidAfter: now + Self.serverLifetime,
            issuer: authority.subject, subject: try DistinguishedName { CommonName("localhost") },
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames(Self.loopbackNames)
                SubjectKeyIdentifier(hash: Certificate.PublicKey(key.publicKey))
                AuthorityKeyIdentifier(
                    keyIdentifier: try authority.extensions.subjectKeyIdentifier?.keyIdentifier)
            }, issuerPrivateKey: .init(signer))
    }

    private static let loopbackNames: [GeneralName] = [
        .dnsName("localhost"),
        .ipAddress(ASN1OctetString(contentBytes: [127, 0, 0, 1])),
        .ipAddress(ASN1OctetString(contentBytes: ArraySlice([UInt8](repeating: 0, count: 15) + [1]))),
    ]

    /// Tells authorities of several installations apart in a trust store.
    private static func shortName(of key: P256.Signing.PrivateKey) -> String {
        SHA256.hash(data: key.publicKey.x963Representation).prefix(4).map {
            String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
        }.joined()
    }
}
