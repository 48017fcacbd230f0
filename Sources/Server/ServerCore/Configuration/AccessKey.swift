/// The key of a system that may begin operations and ask for their end; only its hash is in the configuration's values.
package struct AccessKey: Sendable, Hashable {
    /// Allowed length of a key in bytes: shorter ones could be guessed.
    package static let byteCounts = 32...512

    /// What the audit calls the system.
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
