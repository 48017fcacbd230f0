/// Reading of the clock inside a chip, which cannot be set and which stands still while the chip has no power.
public struct TrustedTime: Hashable, Sendable {
    /// Milliseconds that the chip has been running since its owner was last cleared.
    public let milliseconds: UInt64
    /// Number of resets of the chip since then.
    public let resetCount: UInt32
    /// False when the clock may show less than it did before a power cut.
    public let isSafe: Bool

    /// Creates a reading, for implementations of ``KeyVault``.
    public init(milliseconds: UInt64, resetCount: UInt32, isSafe: Bool) {
        self.milliseconds = milliseconds
        self.resetCount = resetCount
        self.isSafe = isSafe
    }
}
