/// Name of a client: 1 to 64 of the characters A-Z, a-z, 0-9, `.`, `_`, `-`.
package struct ClientID: Sendable, Hashable, CustomStringConvertible {
    /// The name; ASCII, so that `==` compares octets.
    package let text: String

    /// Takes a name; nil for one that is too long, empty, or has other characters.
    package init?(_ text: String) {
        guard let name = PolicyName(text) else { return nil }
        self.text = name.text
    }

    /// Same as ``text``.
    package var description: String { text }
}
