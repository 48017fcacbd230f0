/// Name of a client: 1 to 64 of the characters A-Z, a-z, 0-9, `.`, `_`, `-`.
package struct ClientID: Sendable, Hashable, CustomStringConvertible {
    /// The name; ASCII, so that `==` compares octets.
    package let text: String

    package init?(_ text: String) {
        guard let name = PolicyName(text) else { return nil }
        self.text = name.text
    }

    package var description: String { text }
}
