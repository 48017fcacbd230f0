/// Name of a client: 1 to 64 of the characters A-Z, a-z, 0-9, `.`, `_`, `-`.
package struct ClientID: Sendable, Hashable, CustomStringConvertible {
    /// Rule of names, in words.
    package static let rule = "a name of 1 to 64 letters, digits, dots, underscores and hyphens"

    /// The name; ASCII, so that `==` compares octets.
    package let text: String

    package init?(_ text: String) {
        guard let name = PolicyName(text) else { return nil }
        self.text = name.text
    }

    package var description: String { text }
}
