import Octets

/// What a phone exchanges for a UAF request: 128 random bits, good for one time and a short while.
///
/// It is written in the form of a UUID, which applications expect, but every bit of it is random. The server keeps its
/// hash only.
package struct RedeemToken: Sendable {
    /// The text that travels, 36 characters.
    package let text: String

    /// Draws a token.
    package init(from random: some RandomSource) {
        let digits = Array(Hex.encode(random.bytes(count: 16)).utf8)
        let groups = [digits[0..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20..<32]]
        text = groups.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
    }

    /// What the server remembers.
    package var hash: RedeemTokenHash { Self.hash(ofText: text) }

    /// What the server remembers for a text that a phone sent.
    package static func hash(ofText text: String) -> RedeemTokenHash { RedeemTokenHash(of: text.utf8) }
}
