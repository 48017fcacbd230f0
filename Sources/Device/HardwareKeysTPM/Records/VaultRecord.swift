import HardwareKeys

/// What a vault remembers of itself and of the chip it was made with.
package struct VaultRecord: Hashable, Sendable {
    /// The counter that tells files from older copies.
    struct Counter: Hashable, Sendable {
        let number: UInt32
        let name: [UInt8]
        /// By which it is known to be ours; no command can meet it.
        let policy: PolicyDigest
        /// What authorises an increment, so that others cannot run the counter up.
        let value: [UInt8]
    }

    let name: VaultName
    /// The parent of all keys; a chip without it is another chip, or was cleared.
    let parentName: [UInt8]
    /// Whether the chip can count wrong secrets.
    package var countsAttempts: Bool
    let counter: Counter
    /// The key by which secrets of the device are made.
    let deviceKey: KeyBlobs
}
