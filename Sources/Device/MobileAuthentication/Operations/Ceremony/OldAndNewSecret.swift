/// What a user entered to replace a secret.
package struct OldAndNewSecret: Sendable {
    package let old: SecretBytes
    package let new: SecretBytes

    package init(old: SecretBytes, new: SecretBytes) {
        self.old = old
        self.new = new
    }
}
