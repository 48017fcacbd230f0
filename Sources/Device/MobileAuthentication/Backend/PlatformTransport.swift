package import BackendTransport
import Foundation
import UAFClient

#if !(canImport(LocalAuthentication) && canImport(CryptoKit))
    import BackendTransportLinux
#endif

/// Makes the HTTP transport of the platform with the trust that a configuration asks for.
package enum PlatformTransport {
    /// A transport; its connections last as long as it does.
    ///
    /// An unusable address, certificate or pin is an error; to ignore a pin would disable pinning.
    package static func make(
        for configuration: Configuration
    ) throws(InitializationError) -> any HTTPTransport {
        do throws(BackendTransportError) {
            _ = try BackendAddress(configuration.baseUrl.absoluteString)
        } catch {
            throw .Unknown(
                cause: error == .insecureAddress ? InsecureAddressError() : InvalidParameterError("baseUrl"))
        }
        let trust = try trust(for: configuration)
        #if canImport(LocalAuthentication) && canImport(CryptoKit)
            return URLSessionTransport(trust: trust)
        #else
            return AsyncHTTPClientTransport(
                trust: trust, connectionTimeout: Duration(bounded: configuration.networkTimeoutInSeconds)
            ) { Int64(Date().timeIntervalSince1970) }
        #endif
    }

    static func trust(
        for configuration: Configuration, in flavor: MetaData.Flavor = MetaData.flavor
    ) throws(InitializationError) -> TransportTrust {
        var pins: Set<PublicKeyPin> = []
        for digest in configuration.pinnedCertificates {
            guard let pin = PublicKeyPin(digest) else {
                throw .Unknown(cause: InvalidParameterError("pinnedCertificates"))
            }
            pins.insert(pin)
        }
        return TransportTrust(
            issuers: flavor.issuers(listing: configuration.debugFlavorHosts),
            additionalCertificates: try certificates(in: configuration.additionalTrustedCertificates), pins: pins,
            allowsSuitesWithoutForwardSecrecy: configuration.allowsSuitesWithoutForwardSecrecy)
    }

    /// The certificates as DER; a PEM file may hold several.
    private static func certificates(in files: [Data]) throws(InitializationError) -> [[UInt8]] {
        var certificates: [[UInt8]] = []
        for file in files {
            let blocks = String(decoding: file, as: UTF8.self).matches(
                of: /-----BEGIN CERTIFICATE-----([A-Za-z0-9+\/=\s]*)-----END CERTIFICATE-----/)
            let texts = blocks.map { Data(base64Encoded: $0.1.filter { !$0.isWhitespace }) }
            let found = (texts.isEmpty ? [file] : texts).map { $0.map { Array($0) } ?? [] }
            guard found.allSatisfy(TransportTrust.isCertificate) else {
                throw .Unknown(cause: InvalidParameterError("additionalTrustedCertificates"))
            }
            certificates += found
        }
        return certificates
    }
}
