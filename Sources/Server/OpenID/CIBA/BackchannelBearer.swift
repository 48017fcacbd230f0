import Octets

/// Bearer token by which a decoupled server names a request when it is told the end, 1 to 4,096 octets of visible ASCII.
///
/// The server keeps it sealed until the end is told, and sends it to the configured callback only.
package struct BackchannelBearer: Sendable, Hashable {
    package static let byteLimit = 4_096

    private let sensitiveText: Sensitive<String>

    package init?(_ text: String) {
        guard (1...Self.byteLimit).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        sensitiveText = Sensitive(text)
    }

    /// The token, for the one header that carries it.
    package func reveal() -> String { sensitiveText.reveal() }
}
