/// The name under which the configuration holds a policy: 1 to 64 of the characters A-Z, a-z, 0-9, `.`, `_`, `-`.
package struct PolicyName: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Longest name in bytes.
    package static let byteLimit = 64
    /// The name of the policy that is used when nobody asks for another.
    package static let standard = PolicyName(known: "default")

    /// The name; ASCII, so that `==` compares bytes.
    package let text: String

    /// Takes a name; nil for one that is too long, empty, or has other characters.
    package init?(_ text: String) {
        guard (1...Self.byteLimit).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else { return nil }
        self.text = text
    }

    private init(known text: StaticString) {
        self.text = text.description
    }

    /// Same as ``text``.
    package var description: String { text }

    package static func < (one: PolicyName, other: PolicyName) -> Bool { one.text < other.text }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
