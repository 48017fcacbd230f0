import BackendAPI
import Foundation
import Octets
import UAF
import UAFClient

/// Address at which a token may be redeemed: that of a server which this device knows, whatever a payload says.
///
/// A payload comes in a QR code, a link or a message, so anybody can have made it (`docs/threat-model.md`, A-9). Its
/// address is followed only when it has the origin (scheme, host, port) of the configured server or of one that an
/// account is registered with.
struct RedeemAddress: Hashable, Sendable {
    /// The address to redeem at.
    let url: URL
    /// The server it belongs to; the answer goes there too.
    let server: ServerAddress

    /// Judges an address; nil when none of the servers has its origin.
    ///
    /// Of several with the same origin the one with the longest path that leads to the address is taken.
    init?(_ text: String, among servers: [ServerAddress]) {
        guard text.utf8.allSatisfy(Self.isPlain), let url = URL(string: text), let origin = Self.origin(of: url),
            url.fragment() == nil
        else { return nil }
        let candidates = servers.filter { Self.origin(of: $0.url) == origin }
        let path = url.path(percentEncoded: true)
        let best = candidates.filter { path.hasPrefix(Self.folder(of: $0.url)) }.max { one, other in
            Self.folder(of: one.url).utf8.count < Self.folder(of: other.url).utf8.count
        }
        guard let server = best ?? candidates.first else { return nil }
        self.url = url
        self.server = server
    }

    /// Judges an address at one of the further origins of a server; the answer goes to the server itself.
    init?(_ text: String, at origins: [ServerAddress], of server: ServerAddress) {
        guard let address = RedeemAddress(text, among: origins) else { return nil }
        url = address.url
        self.server = server
    }

    /// Visible ASCII without what URL parsers disagree about: user names before the host, and backslashes.
    private static func isPlain(_ octet: UInt8) -> Bool {
        (0x21...0x7E).contains(octet) && octet != UInt8(ascii: "\\") && octet != UInt8(ascii: "@")
    }

    private static func origin(of url: URL) -> [String]? {
        guard url.scheme?.lowercased() == "https", let host = url.host()?.lowercased(), !host.isEmpty else {
            return nil
        }
        return [host, String(url.port ?? 443)]
    }

    private static func folder(of url: URL) -> String {
        let path = url.path(percentEncoded: true)
        return path.hasSuffix("/") ? path : path + "/"
    }
}

/// The address where a token is redeemed, after it was found to belong to a known server.
struct RedeemTarget: Hashable, Sendable {
    let url: URL

    /// The kind of operation that is redeemed there: the last component of the address names it.
    ///
    /// Nil for an address that names none.
    var operation: OperationKind? {
        OperationKind.allCases.first { url.lastPathComponent.hasSameOctets(as: $0.pathName) }
    }
}
