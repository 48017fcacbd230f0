/// One text of a policy, named by its hash.
package struct PolicyRevision: Sendable, Hashable {
    /// The JSON text.
    package let content: [UInt8]
    /// SHA-256 of ``content``.
    package let hash: PolicyHash

    /// Takes a text.
    package init(content: [UInt8]) {
        self.content = content
        hash = PolicyHash(of: content)
    }
}
