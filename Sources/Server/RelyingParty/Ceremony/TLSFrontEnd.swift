import Crypto
import Octets
import SwiftASN1
import X509

/// The certificates with which the TLS front end of the server introduces itself.
package struct TLSFrontEnd: Hashable, Sendable {
    /// Certificates as unpadded base64url text, the form of `tlsServerCertificate`.
    let certificates: Set<String>
    /// Their hashes as unpadded base64url text, the form of `serverEndPoint`.
    let endPoints: Set<String>

    /// Takes the certificates (DER) of all front ends, also those about to replace others.
    ///
    /// Throws ``CertificatePathError/malformed`` when one is no certificate.
    package init(certificates: [[UInt8]]) throws(CertificatePathError) {
        self.certificates = Set(certificates.map { Base64URL.encode($0) })
        var endPoints: Set<String> = []
        for certificate in certificates {
            if let hash = try Self.endPoint(of: certificate) { endPoints.insert(Base64URL.encode(hash)) }
        }
        self.endPoints = endPoints
    }

    package init(merging frontEnds: some Sequence<TLSFrontEnd>) {
        certificates = frontEnds.reduce(into: []) { $0.formUnion($1.certificates) }
        endPoints = frontEnds.reduce(into: []) { $0.formUnion($1.endPoints) }
    }

    /// Takes texts in PEM form (RFC 7468); the first certificate of each belongs to a front end.
    ///
    /// Throws ``CertificatePathError/malformed`` when one holds no certificate.
    package init(pemTexts: [[UInt8]]) throws(CertificatePathError) {
        var certificates: [[UInt8]] = []
        for text in pemTexts {
            let documents = try? PEMDocument.parseMultiple(pemString: String(decoding: text, as: UTF8.self))
            guard let document = documents?.first(where: { $0.discriminator == "CERTIFICATE" }) else {
                throw .malformed
            }
            certificates.append(document.derBytes)
        }
        try self.init(certificates: certificates)
    }

    /// `tls-server-end-point` (RFC 5929, 4.1): the hash of the certificate's own signature, SHA-256 at least.
    ///
    /// Nil when the signature algorithm uses no single hash.
    private static func endPoint(of octets: [UInt8]) throws(CertificatePathError) -> [UInt8]? {
        guard let certificate = try? Certificate(derEncoded: octets) else { throw .malformed }
        switch certificate.signatureAlgorithm {
        case .ecdsaWithSHA384, .sha384WithRSAEncryption: return Array(SHA384.hash(data: octets))
        case .ecdsaWithSHA512, .sha512WithRSAEncryption: return Array(SHA512.hash(data: octets))
        case .ed25519: return nil
        default: return Array(SHA256.hash(data: octets))
        }
    }
}
