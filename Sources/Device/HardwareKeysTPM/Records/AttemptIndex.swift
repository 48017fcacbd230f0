/// The index that counts the wrong secrets of one key, as the key's file remembers it.
struct AttemptIndex: Hashable, Sendable {
    let number: UInt32
    let policy: AttemptPolicy
    /// Its name after its one write.
    ///
    /// A redefined index has it again only after being written, which nobody can do.
    let name: [UInt8]
    /// The key that a new secret needs, sealed: the chip gives it to who shows the right secret.
    let changer: KeyBlobs

    /// The policy of what the index guards.
    static func guardPolicy(ofIndexNamed name: [UInt8]) -> PolicyDigest {
        var digest = PolicyDigest()
        digest.require(secretOf: name)
        return digest
    }

    /// The policy of the key that the index guards.
    var keyPolicy: PolicyDigest { Self.guardPolicy(ofIndexNamed: name) }
}
