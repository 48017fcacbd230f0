import CTSS2

/// Policy of an index that counts attempts: the two ways in which it can be changed.
struct AttemptPolicy: Hashable, Sendable {
    /// The way to the one write of its life; it cannot be used again.
    let write: PolicyDigest
    /// The way to a new secret.
    let change: PolicyDigest

    init(write: PolicyDigest, change: PolicyDigest) {
        self.write = write
        self.change = change
    }

    /// Lets the key of one name write, and the key of another, together with the old secret, change the secret.
    ///
    /// The old secret alone is not enough: a chip that compares it on this way counts the wrong ones but does not stop
    /// at the limit, so that it could be tried for ever (seen with libtpms 0.9.2). The chip gives the second key out
    /// for the right secret on the way that does stop.
    init(writer: [UInt8], changer: [UInt8]) {
        var write = PolicyDigest()
        write.require(signatureOf: writer)
        write.require(command: UInt32(TPM2_CC_NV_Write))
        self.write = write
        var change = PolicyDigest()
        change.require(signatureOf: changer)
        change.require(command: UInt32(TPM2_CC_NV_ChangeAuth))
        change.requireAuthorizationValue()
        self.change = change
    }

    /// The ways in the order in which the chip is told of them.
    var branches: [PolicyDigest] { [write, change] }

    /// Policy digest of the index (`PolicyOR` of both branches); unique, because keys made for it are in it.
    var digest: PolicyDigest { PolicyDigest(anyOf: branches) }
}
