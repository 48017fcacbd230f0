import FoundationEssentials

/// The clock of the machine.
package struct SystemWallClock: WallClock {
    /// The clock of the machine.
    package init() {}

    package func now() -> Timestamp {
        Timestamp(milliseconds: Int64((Date.now.timeIntervalSince1970 * 1000).rounded(.down)))
    }
}
