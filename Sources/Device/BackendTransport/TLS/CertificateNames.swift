import NIOCore
import NIOSSL

/// The names a certificate is for, and whether a host is among them (RFC 9525, section 6).
struct CertificateNames: Hashable, Sendable {
    /// DNS names, as they stand in the certificate.
    let dnsNames: [String]
    /// IP addresses as text, the way the network library writes them.
    let addresses: [String]

    /// Whether a server reached as `host` at `address` may present the certificate.
    func cover(host: String, address: String?) -> Bool {
        if let address, addresses.contains(address) { return true }
        return dnsNames.contains { Self.name($0.lowercased(), covers: host.lowercased()) }
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
    /// Reads the names out of a certificate.
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
