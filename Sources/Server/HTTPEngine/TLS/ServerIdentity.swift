package import NIOSSL
import Octets

/// The certificate chain and private key with which the service listener answers.
package struct ServerIdentity: Sendable {
    /// The chain in PEM form, the server's own certificate first.
    package let chainPEM: String
    private let privateKeyPEM: Sensitive<String>

    /// Takes both in PEM form; nothing is checked until ``tlsConfiguration()``.
    package init(chainPEM: String, privateKeyPEM: String) {
        self.chainPEM = chainPEM
        self.privateKeyPEM = Sensitive(privateKeyPEM)
    }

    /// TLS 1.2 suites in the order of preference; TLS 1.3 has its own three, which cannot be listed.
    ///
    /// All give forward secrecy and authenticated encryption.
    package static let suites: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]

    /// The settings of a TLS 1.2 and 1.3 server.
    ///
    /// Throws ``ServerIdentityError/unusableCertificate`` when chain or key cannot be read or do not belong together.
    package func tlsConfiguration() throws(ServerIdentityError) -> TLSConfiguration {
        do {
            let chain = try NIOSSLCertificate.fromPEMBytes(Array(chainPEM.utf8))
            let key = try NIOSSLPrivateKey(bytes: Array(privateKeyPEM.reveal().utf8), format: .pem)
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
            configuration.minimumTLSVersion = .tlsv12
            configuration.cipherSuiteValues = Self.suites
            configuration.applicationProtocols = ["http/1.1"]
            _ = try NIOSSLContext(configuration: configuration)
            return configuration
        } catch {
            throw .unusableCertificate
        }
    }
}

extension ServerIdentity {
    /// Reason to refuse a certificate chain and a private key.
    package enum Problem: Hashable, Sendable {
        /// The chain and the key stand in each other's place.
        case swapped
        case noCertificate
        /// There is no private key without a passphrase that can be read.
        case noPrivateKey
        /// The key does not belong to the chain's first certificate.
        case keyOfAnother
    }

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
