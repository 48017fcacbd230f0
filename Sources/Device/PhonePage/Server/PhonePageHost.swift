import Octets

/// Host of a phone page: another address of 127/8 at each start, so that no browser keeps anything of its origin yet.
///
/// Service workers, caches, storage and cookies outlive the listener that has left them, and a worker gets each address before
/// the server does.
package struct PhonePageHost: Sendable, Hashable {
    /// Address of the socket, and host of the URL.
    package let address: String

    /// Host that was drawn before; nil unless it is an address of 127/8.
    package init?(_ address: String) {
        guard let parsed = IPAddress(address), parsed.family == .v4, parsed.isLoopback, parsed.description == address
        else { return nil }
        self.address = address
    }

    private init(octets: [UInt8]) { address = octets.map(String.init).joined(separator: ".") }

    /// New host, of 24 random bits.
    package static var fresh: PhonePageHost {
        // Programs use 127.0/16; no host has the first or the last address of the network.
        PhonePageHost(octets: [127, .random(in: 1...254), .random(in: 0...255), .random(in: 1...254)])
    }
}
