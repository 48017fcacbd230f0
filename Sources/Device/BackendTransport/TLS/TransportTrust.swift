/// TLS trust settings of a transport.
package struct TransportTrust: Hashable, Sendable {
    /// Accepted certificate issuers, and the hosts that they are accepted at; name and dates are always checked.
    package enum Issuers: Hashable, Sendable {
        /// Those the operating system knows and the additional ones, at every host: the release flavour.
        case known
        /// Any issuer, also the server itself, at these hosts; there is no exchange with others: the debug flavour.
        case anyAt(LocalHosts)
        /// Any issuer at every host: for diagnosis, which sends nothing confidential.
        case any

        /// Whether issuers are accepted that nothing vouches for.
        package var includesUnknown: Bool {
            switch self {
            case .known: false
            case .anyAt, .any: true
            }
        }

        /// Whether there may be an exchange with a host, before there is a connection.
        package func admits(_ host: String) -> Bool {
            switch self {
            case .anyAt(let hosts): hosts.contains(host)
            case .known, .any: true
            }
        }

        /// Whether there may be an exchange with a host over a connection to an address; nil for an unknown one.
        package func admits(_ host: String, at address: String?) -> Bool {
            switch self {
            case .anyAt(let hosts): hosts.contains(host, at: address)
            case .known, .any: true
            }
        }
    }

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

    /// Whether bytes are a certificate in DER form.
    package static func isCertificate(_ der: [UInt8]) -> Bool { (try? ChainCertificate(der: der)) != nil }
}
