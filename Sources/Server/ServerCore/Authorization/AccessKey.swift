/// The key of a system that may begin ceremonies and ask for their end; only its hash is in the configuration's values.
package struct AccessKey: Sendable, Hashable {
    /// Allowed length of a key in bytes: shorter ones could be guessed.
    package static let byteCounts = 32...512

    /// Name of the system in the audit.
    package let name: AccessKeyName
    /// The hash of the key.
    package let hash: AccessKeyHash

    /// Takes the text of a key; nil when its length is not allowed.
    package init?(name: AccessKeyName, key: String) {
        guard Self.byteCounts.contains(key.utf8.count) else { return nil }
        self.name = name
        hash = AccessKeyHash(of: key.utf8)
    }
}

/// The name of an access key in the configuration: 1 to 64 of the characters A-Z, a-z, 0-9, `.`, `_`, `-`.
package struct AccessKeyName: Sendable, Hashable, CustomStringConvertible {
    /// The name; ASCII, so that `==` compares bytes.
    package let text: String

    /// Takes a name; nil for one that is too long, empty, or has other characters.
    package init?(_ text: String) {
        guard let name = PolicyName(text) else { return nil }
        self.text = name.text
    }

    /// Same as ``text``.
    package var description: String { text }
}
