import Octets

/// Hosts that the debug flavour talks to: loopback, private ones, and the hosts that the application lists.
///
/// A host that is not listed is judged by its name and by the address that the connection goes to, and both have to be
/// local. By the address alone a public name would be local wherever a server answers queries for it with a private
/// address (DNS rebinding); by the name alone so would be a local one that leads to a public address.
package struct LocalHosts: Hashable, Sendable {
    /// Networks of loopback (RFC 1122, 3.2.1.3; RFC 4291, 2.5.3), private (RFC 1918; RFC 4193) and link-local addresses
    /// (RFC 3927; RFC 4291, 2.5.6).
    ///
    /// Addresses that the customers of a provider share (RFC 6598, `100.64.0.0/10`) are none: they are strangers' too.
    private static let networks = [
        "127.0.0.0/8", "::1", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "169.254.0.0/16",
        "fe80::/10",
    ].compactMap { IPNetwork($0) }

    /// Domains that are never delegated in the public DNS: `localhost` and `test` (RFC 6761), `local` (RFC 6762),
    /// `home.arpa` (RFC 8375), `internal` (reserved by ICANN).
    private static let domains = ["localhost", "test", "local", "home.arpa", "internal"]

    private let names: Set<String>
    private let addresses: Set<IPAddress>

    /// Loopback, private hosts, and the listed ones: names as a whole, without wildcards, or IP addresses.
    ///
    /// Ports and other parts of a URL are no part of a host; an entry with them admits nothing.
    package init(listing hosts: [String] = []) {
        let hosts = hosts.map(Self.plain)
        addresses = Set(hosts.compactMap { IPAddress($0) })
        names = Set(hosts.filter { IPAddress($0) == nil })
    }

    /// Whether a host may be one of these by its name, before there is a connection.
    package func contains(_ host: String) -> Bool {
        let host = Self.plain(host)
        if let address = IPAddress(host) { return isLocal(address) }
        return names.contains(host) || Self.isPrivate(host)
    }

    /// Whether a host that is reached at an address is one of these; without an address only a listed name is.
    ///
    /// A listed name is one wherever it leads: the application has said so.
    package func contains(_ host: String, at address: String?) -> Bool {
        guard contains(host) else { return false }
        if names.contains(Self.plain(host)) { return true }
        guard let address = address.flatMap({ IPAddress($0) }) else { return false }
        return isLocal(address)
    }

    private func isLocal(_ address: IPAddress) -> Bool {
        addresses.contains(address) || Self.networks.contains { $0.contains(address) }
    }

    private static func isPrivate(_ name: String) -> Bool {
        domains.contains { name == $0 || name.hasSuffix("." + $0) }
    }

    /// Lower case, without the brackets of an IPv6 address or the dot at the end of a complete name.
    private static func plain(_ host: String) -> String {
        let host = host.lowercased()
        if host.hasPrefix("["), host.hasSuffix("]") { return String(host.dropFirst().dropLast()) }
        return host.hasSuffix(".") ? String(host.dropLast()) : host
    }
}
