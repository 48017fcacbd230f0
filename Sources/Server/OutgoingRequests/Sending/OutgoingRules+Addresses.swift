package import Octets
package import OpenID
import ServerCore

/// Judgement of the address that a connection would go to (RFC 6890; RFC 4291).
extension OutgoingRules {
    /// Networks that are not the Internet, of which a name from outside could point into the network of the server.
    ///
    /// Addresses that carry an IPv4 address in IPv6 form stand as IPv4 (`::ffff:0:0/96`) or are refused as a whole: compatible
    /// addresses, NAT64, 6to4 and Teredo.
    private static let forbidden: [IPNetwork] = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/4", "240.0.0.0/4", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
    ].compactMap { IPNetwork($0) }

    /// Only these addresses of IPv6 are assigned (RFC 4291, 2.4, and the registry of IANA).
    private static let globalV6 = IPNetwork("2000::/3")

    package func allows(_ address: IPAddress) -> Bool {
        if allowedNetworks.contains(where: { $0.contains(address) }) { return true }
        guard !Self.forbidden.contains(where: { $0.contains(address) }) else { return false }
        return address.family == .v4 || Self.globalV6?.contains(address) == true
    }

    /// Addresses of a name, in their order, when a connection may go to each of them.
    ///
    /// Throws ``OutgoingFailure/forbiddenAddress`` when one may not be called, also beside others that may, and
    /// ``OutgoingFailure/unresolvable`` for none at all.
    package func judged(_ addresses: [IPAddress]) throws(OutgoingFailure) -> [IPAddress] {
        guard !addresses.isEmpty else { throw .unresolvable }
        guard addresses.allSatisfy(allows) else { throw .forbiddenAddress }
        return addresses
    }
}
