import BackendAPI
import Octets
package import UAF

/// Link in a payload, read by the parser that the transport uses.
///
/// The SDK reads it, and sends the token to the value that was judged here: a second parser of addresses could take
/// another host for the one that the transport connects to.
package protocol RedeemLink: Hashable, Sendable {
    /// Reads a text; nil for one that is no absolute address.
    init?(_ text: String)

    var address: ServerAddress { get }
    /// Last component of the path, without percent-encoding.
    var lastPathComponent: String { get }
    var hasFragment: Bool { get }
}

/// Address at which a token may be redeemed: an address of a server which this device knows, whatever a payload says.
///
/// A payload comes in a QR code, a link or a message, so an attacker can have made it (`docs/security/threat-model.md`, A-9). Its
/// address is followed only when it has the origin (scheme, host, port) of the configured server or of one that an
/// account is registered with.
package struct RedeemAddress<Link: RedeemLink>: Hashable, Sendable {
    package let link: Link
    /// The server it belongs to; the answer goes there too.
    package let server: ServerAddress

    /// Judges an address; nil when none of the servers has its origin.
    ///
    /// Of several with the same origin the one with the longest path that leads to the address is taken.
    package init?(_ text: String, among servers: [ServerAddress]) {
        guard text.utf8.allSatisfy(Self.isPlain), let link = Link(text), let origin = link.address.origin,
            !link.hasFragment
        else { return nil }
        let candidates = servers.filter { $0.origin == origin }
        let path = link.address.path
        let best = candidates.filter { path.hasPrefix($0.folder) }.max { one, other in
            one.folder.utf8.count < other.folder.utf8.count
        }
        guard let server = best ?? candidates.first else { return nil }
        self.link = link
        self.server = server
    }

    /// Judges an address at one of the further origins of a server; the answer goes to the server itself.
    package init?(_ text: String, at origins: [ServerAddress], of server: ServerAddress) {
        guard let address = RedeemAddress(text, among: origins) else { return nil }
        link = address.link
        self.server = server
    }

    /// The kind of operation that is redeemed there: the last component of the address names it.
    ///
    /// Nil for an address that names none.
    package var operation: OperationKind? {
        OperationKind.allCases.first { link.lastPathComponent.hasSameOctets(as: $0.pathName) }
    }

    /// Visible ASCII without what URL parsers disagree about: user names before the host, and backslashes.
    private static func isPlain(_ octet: UInt8) -> Bool {
        (0x21...0x7E).contains(octet) && octet != UInt8(ascii: "\\") && octet != UInt8(ascii: "@")
    }
}

extension ServerAddress {
    /// The path with a slash at its end: what the path of every resource below begins with.
    fileprivate var folder: String { path.hasSuffix("/") ? path : path + "/" }
}
