import NIOSSL

extension TransportTrust {
    /// Suites of TLS 1.2 with forward secrecy; those of TLS 1.3 are fixed in the library.
    private static let suites: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]
    private static let suitesWithoutForwardSecrecy: [NIOTLSCipher] = [
        .TLS_RSA_WITH_AES_128_GCM_SHA256, .TLS_RSA_WITH_AES_256_GCM_SHA384,
    ]

    /// The certificates in a PEM file, as DER; what ``additionalCertificates`` takes.
    ///
    /// Throws ``BackendTransportError/unusableTrustSettings`` unless there is at least one.
    package static func certificates(inPEM text: [UInt8]) throws(BackendTransportError) -> [[UInt8]] {
        do {
            let certificates = try NIOSSLCertificate.fromPEMBytes(text).map { try $0.toDERBytes() }
            guard !certificates.isEmpty else { throw BackendTransportError.unusableTrustSettings }
            return certificates
        } catch {
            throw .unusableTrustSettings
        }
    }

    /// The settings of the TLS library for this trust.
    func tlsConfiguration() throws(BackendTransportError) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuiteValues =
            Self.suites + (allowsSuitesWithoutForwardSecrecy ? Self.suitesWithoutForwardSecrecy : [])
        configuration.applicationProtocols = ["http/1.1"]
        do {
            let additional = try additionalCertificates.map { try NIOSSLCertificate(bytes: $0, format: .der) }
            configuration.additionalTrustRoots = additional.isEmpty ? [] : [.certificates(additional)]
        } catch {
            throw .unusableTrustSettings
        }
        // With any issuer allowed the inspector of the connection checks name and dates instead.
        if issuers == .any { configuration.certificateVerification = .none }
        return configuration
    }
}
