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
    /// An unusable pin is an error: to ignore it would disable pinning.
    package static func make(
        for configuration: Configuration
    ) throws(InitializationError) -> any HTTPTransport {
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
            guard file.starts(with: Data("-----BEGIN".utf8)) else {
                certificates.append(Array(file))
                continue
            }
            let blocks = String(decoding: file, as: UTF8.self).matches(
                of: /-----BEGIN CERTIFICATE-----([A-Za-z0-9+\/=\s]*)-----END CERTIFICATE-----/)
            let found = blocks.compactMap { Data(base64Encoded: $0.1.filter { !$0.isWhitespace }) }
            guard !found.isEmpty, found.count == blocks.count else {
                throw .Unknown(cause: InvalidParameterError("additionalTrustedCertificates"))
            }
            certificates += found.map { Array($0) }
        }
        return certificates
    }
}
