package import HardwareKeys

/// An index that is about to be made or removed, written down before: what a crash leaves behind is found by it.
package struct JournalEntry: Hashable, Sendable {
    /// What the index is for.
    package enum Purpose: Hashable, Sendable {
        /// A new vault: its counter, or the try whether the chip can count attempts.
        case vault
        /// A new key.
        case making(KeyReference)
        /// A key that is being destroyed.
        case deleting(KeyReference)
    }

    package let purpose: Purpose
    let number: UInt32
    /// By which an index at that number is known to be ours.
    let policy: PolicyDigest
}
