/// TLS trust settings of a transport.
package struct TransportTrust: Hashable, Sendable {
    /// Set of accepted certificate issuers.
    package enum Issuers: Hashable, Sendable {
        /// Those the operating system knows.
        case known
        /// Anybody, also the server itself; name and dates are still checked. Only the debug flavour uses it.
        case any

        /// Accepted issuers in the flavour of this build.
        package static var ofFlavor: Issuers {
            #if DebugFlavor
                .any
            #else
                .known
            #endif
        }
    }

    /// Accepted certificate issuers.
    package var issuers: Issuers
    /// More issuers: DER certificates.
    package var additionalCertificates: [[UInt8]]
    /// Public keys, one of which the server or an authority behind it must have; empty for no pinning.
    package var pins: Set<PublicKeyPin>
    /// Whether the two RSA key exchange suites without forward secrecy are offered as well.
    package var allowsSuitesWithoutForwardSecrecy: Bool

    /// Trusts the operating system's issuers and nothing else unless told otherwise.
    package init(
        issuers: Issuers = .known, additionalCertificates: [[UInt8]] = [], pins: Set<PublicKeyPin> = [],
        allowsSuitesWithoutForwardSecrecy: Bool = false
    ) {
        self.issuers = issuers
        self.additionalCertificates = additionalCertificates
        self.pins = pins
        self.allowsSuitesWithoutForwardSecrecy = allowsSuitesWithoutForwardSecrecy
    }
}
