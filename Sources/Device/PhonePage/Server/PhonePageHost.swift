import Octets

/// Host of a phone page: another one at each start, so that no browser keeps anything of its origin yet.
///
/// Service workers, caches, storage and cookies outlive the listener that has left them, and a worker gets each address before
/// the server does. All of 127/8 is loopback on Linux; other systems have 127.0.0.1, for which browsers take every
/// `NAME.localhost` (RFC 6761, 6.3).
package struct PhonePageHost: Sendable, Hashable {
    /// Host of the URL.
    package let name: String
    /// Address of the socket.
    let address: String

    /// Host that was drawn before; nil unless it is an address of 127/8 or a `NAME.localhost`.
    package init?(_ name: String) {
        let isAddress =
            IPAddress(name).map { $0.description == name && $0.first(8).description == "127.0.0.0" } ?? false
        guard isAddress || name.hasSuffix(".localhost") else { return nil }
        self.name = name
        address = isAddress ? name : "127.0.0.1"
    }

    private init(name: String, address: String) { (self.name, self.address) = (name, address) }

    /// New host of 24 random bits, of 128 where it is a name.
    package static var fresh: PhonePageHost {
        #if os(Linux)
            // The first and the last address of the network are none of a host; those of 127.0/16 are in use.
            let octets: [UInt8] = [127, .random(in: 1...254), .random(in: 0...255), .random(in: 1...254)]
            let name = octets.map(String.init).joined(separator: ".")
            return PhonePageHost(name: name, address: name)
        #else
            let label = Hex.encode((0..<16).map { _ in UInt8.random(in: 0...255) })
            return PhonePageHost(name: "\(label).localhost", address: "127.0.0.1")
        #endif
    }
}
