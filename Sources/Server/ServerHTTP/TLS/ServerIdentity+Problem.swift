import NIOSSL

extension ServerIdentity {
    /// Why a certificate chain and a private key cannot be used.
    package enum Problem: Hashable, Sendable {
        /// The chain and the key stand in each other's place.
        case swapped
        /// There is no certificate in the chain that can be read.
        case noCertificate
        /// There is no private key without a passphrase that can be read.
        case noPrivateKey
        /// The key is not that of the chain's first certificate.
        case keyOfAnother
    }

    /// What is wrong with chain and key; nil when a listener can use them.
    package static func problem(chainPEM: String, privateKeyPEM: String) -> Problem? {
        if holdsKeyOnly(chainPEM) && holdsCertificateOnly(privateKeyPEM) { return .swapped }
        let chain = try? NIOSSLCertificate.fromPEMBytes(Array(chainPEM.utf8))
        guard chain?.isEmpty == false else { return .noCertificate }
        guard (try? NIOSSLPrivateKey(bytes: Array(privateKeyPEM.utf8), format: .pem)) != nil else {
            return .noPrivateKey
        }
        let identity = ServerIdentity(chainPEM: chainPEM, privateKeyPEM: privateKeyPEM)
        return (try? identity.tlsConfiguration()) == nil ? .keyOfAnother : nil
    }

    private static func holdsKeyOnly(_ pem: String) -> Bool {
        pem.contains("PRIVATE KEY-----") && !pem.contains("-----BEGIN CERTIFICATE-----")
    }

    private static func holdsCertificateOnly(_ pem: String) -> Bool {
        pem.contains("-----BEGIN CERTIFICATE-----") && !pem.contains("PRIVATE KEY-----")
    }
}
