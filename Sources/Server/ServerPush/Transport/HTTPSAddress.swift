/// An absolute `https` URL without user, query and fragment.
package struct HTTPSAddress: Hashable, Sendable {
    package let text: String

    /// Takes printable ASCII of at most 512 bytes; nil for anything else.
    package init?(_ text: String) {
        let prefix = "https://"
        guard text.hasPrefix(prefix), text.utf8.count <= 512, text.utf8.allSatisfy(Self.isPlain) else { return nil }
        let authority = text.dropFirst(prefix.count).prefix { $0 != "/" }
        guard !authority.isEmpty, !authority.hasPrefix(":") else { return nil }
        self.text = text
    }

    package func appending(_ path: String) -> String {
        (text.hasSuffix("/") ? String(text.dropLast()) : text) + path
    }

    private static func isPlain(_ octet: UInt8) -> Bool {
        (0x21...0x7E).contains(octet) && !"\"<>\\^`{|}@?#".utf8.contains(octet)
    }
}
