import BackendTransport
import Crypto
import Locking
import NIOCore
import NIOHTTP1
import NIOSSL

/// Looks at each new connection to one host before a request is written to it: the name in the certificate, its
/// signature, pins, and in the debug flavour address and dates; remembers what it saw.
final class ConnectionInspector: Sendable {
    private let host: String
    private let trust: TransportTrust
    private let issuers: IssuerPins
    private let now: @Sendable () -> Int64
    private let seen = MarkedFacts()
    private let shown = Lock<ConnectionFacts?>(nil)

    init(host: String, trust: TransportTrust, issuers: IssuerPins, now: @escaping @Sendable () -> Int64) {
        self.host = host
        self.trust = trust
        self.issuers = issuers
        self.now = now
    }

    func facts(of headers: HTTPHeaders) -> ConnectionFacts? { seen.facts(of: headers) }

    /// Facts that the server presented last where any issuer is trusted, also when the connection was refused for them.
    var presented: ConnectionFacts? { shown.withLock { $0 } }

    /// Succeeds for a connection that may be used, else closes it and fails with ``BackendTransportError``.
    func inspect(_ channel: any Channel) -> EventLoopFuture<Void> {
        let verdict = channel.nioSSL_peerCertificate().and(channel.nioSSL_tlsVersion())
            .flatMapThrowing { [self] certificate, version in
                guard let certificate else { throw BackendTransportError.untrustedConnection(.handshake) }
                return try facts(of: certificate, version: version, address: channel.remoteAddress)
            }
            .flatMap { [self] facts in
                guard !trust.pins.isEmpty, !trust.pins.contains(facts.publicKeyPin) else {
                    return channel.eventLoop.makeSucceededFuture(facts)
                }
                return issuers.requirePinned(behind: facts.certificate, of: channel).map { facts }
            }
            .flatMapThrowing { [self] facts in try seen.mark(channel, with: facts) }
        verdict.whenFailure { _ in channel.close(promise: nil) }
        return verdict
    }

    /// Facts of a connection whose address, host name and validity dates were verified.
    private func facts(
        of certificate: NIOSSLCertificate, version: TLSVersion?, address: SocketAddress?
    ) throws -> ConnectionFacts {
        guard trust.issuers.admits(host, at: address?.ipAddress) else { throw BackendTransportError.refusedHost }
        let key = Array(SHA256.hash(data: try certificate.extractPublicKey().toSPKIBytes()))
        guard let pin = PublicKeyPin(key) else { throw BackendTransportError.untrustedConnection(.handshake) }
        let facts = ConnectionFacts(
            version: version.flatMap(ConnectionFacts.Version.init), certificate: try certificate.toDERBytes(),
            publicKeyPin: pin)
        if trust.issuers.includesUnknown {
            shown.withLock { $0 = facts }
            try requireDates(of: certificate)
        }
        // The library takes a certificate for the address of a connection for every name that leads there.
        guard CertificateNames(certificate).cover(host: host, address: address?.ipAddress) else {
            throw BackendTransportError.untrustedConnection(.wrongHost)
        }
        // The library verifies signatures over SHA-1 like any other.
        if facts.isWeaklySigned { throw BackendTransportError.untrustedConnection(.untrustedCertificate) }
        return facts
    }

    private func requireDates(of certificate: NIOSSLCertificate) throws(BackendTransportError) {
        let now = now()
        guard Int64(certificate.notValidBefore) <= now, now <= Int64(certificate.notValidAfter) else {
            throw .untrustedConnection(.untrustedCertificate)
        }
    }
}

extension ConnectionFacts.Version {
    fileprivate init?(_ version: TLSVersion) {
        switch version {
        case .tlsv12: self = .tls12
        case .tlsv13: self = .tls13
        default: return nil
        }
    }
}

/// The names a certificate is for, and whether a host is among them (RFC 9525, section 6).
struct CertificateNames: Hashable, Sendable {
    /// DNS names, as they appear in the certificate.
    let dnsNames: [String]
    /// IP addresses as text, the way the network library writes them.
    let addresses: [String]

    /// Whether a server reached as `host` at `address` may present the certificate.
    ///
    /// A host that is an address is covered by that address, any other by names only (section 6.1): else an attacker who has a
    /// certificate for an address of theirs and answers queries for a name with it would be the server of that name.
    func cover(host: String, address: String?) -> Bool {
        let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
        guard !isAddress else { return address.map { addresses.contains($0) } ?? false }
        return dnsNames.contains { Self.name(Self.plain($0), covers: Self.plain(host)) }
    }

    /// Lower case, without the dot at the end of a complete name.
    private static func plain(_ name: String) -> String {
        let name = name.lowercased()
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }

    /// A wildcard stands for exactly the leftmost label, and never for a whole public name (`*.com`).
    private static func name(_ name: String, covers host: String) -> Bool {
        let nameLabels = name.split(separator: ".", omittingEmptySubsequences: false)
        let hostLabels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard nameLabels.count == hostLabels.count, let first = nameLabels.first else { return false }
        guard first == "*" else { return nameLabels == hostLabels }
        return nameLabels.count > 2 && nameLabels.dropFirst() == hostLabels.dropFirst()
    }
}

extension CertificateNames {
    init(_ certificate: NIOSSLCertificate) {
        var dnsNames: [String] = []
        var addresses: [String] = []
        for name in certificate._subjectAlternativeNames() {
            switch name.nameType {
            case .dnsName: dnsNames.append(String(decoding: name.contents, as: UTF8.self))
            case .ipAddress:
                let packed = ByteBuffer(bytes: name.contents)
                addresses += [try? SocketAddress(packedIPAddress: packed, port: 0)].compactMap { $0?.ipAddress }
            default: continue
            }
        }
        self.init(dnsNames: dnsNames, addresses: addresses)
    }
}
