package import BackendTransport
import Foundation

/// Makes the HTTP transport of the platform with the trust that a configuration asks for.
package enum PlatformTransport {
    /// A transport; its connections live as long as it does.
    ///
    /// A pin that is none is an error: leaving it out would leave pinning out.
    package static func make(
        for configuration: Configuration
    ) throws(InitializationError) -> any HTTPTransport {
        let trust = try trust(for: configuration)
        #if canImport(Darwin)
            return URLSessionTransport(trust: trust)
        #else
            return AsyncHTTPClientTransport(trust: trust) { Int64(Date().timeIntervalSince1970) }
        #endif
    }

    private static func trust(for configuration: Configuration) throws(InitializationError) -> TransportTrust {
        var pins: Set<PublicKeyPin> = []
        for digest in configuration.pinnedCertificates {
            guard let pin = PublicKeyPin(digest) else {
                throw .Unknown(cause: InvalidParameterError("pinnedCertificates"))
            }
            pins.insert(pin)
        }
        return TransportTrust(
            issuers: issuers, additionalCertificates: configuration.additionalTrustedCertificates.map { Array($0) },
            pins: pins)
    }

    #if DebugFlavor
        private static let issuers = TransportTrust.Issuers.any
    #else
        private static let issuers = TransportTrust.Issuers.known
    #endif
}
