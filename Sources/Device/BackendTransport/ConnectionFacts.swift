/// TLS version and server certificate of the connection that an exchange ran over.
package struct ConnectionFacts: Hashable, Sendable {
    /// A version of TLS; nothing older is ever used.
    package enum Version: Hashable, Sendable {
        case tls12
        case tls13
    }

    package let version: Version?
    /// The certificate the server presented (DER).
    package let certificate: [UInt8]
    /// SHA-256 of its SubjectPublicKeyInfo: what a pin is compared with.
    package let publicKeyPin: PublicKeyPin

    package init(version: Version?, certificate: [UInt8], publicKeyPin: PublicKeyPin) {
        self.version = version
        self.certificate = certificate
        self.publicKeyPin = publicKeyPin
    }
}

extension ConnectionFacts {
    init?(certificate: [UInt8]) {
        guard let parts = try? ChainCertificate(der: certificate) else { return nil }
        self.init(version: nil, certificate: certificate, publicKeyPin: parts.pin)
    }

    /// Signature algorithm of the certificate as a dotted object identifier; nil where it cannot be read.
    package var signatureAlgorithm: String? { (try? ChainCertificate(der: certificate))?.signatureAlgorithm }

    /// Whether the certificate is signed over MD5 or SHA-1; true also for one that cannot be read.
    package var isWeaklySigned: Bool { (try? ChainCertificate(der: certificate))?.isSignedWeakly ?? true }
}
