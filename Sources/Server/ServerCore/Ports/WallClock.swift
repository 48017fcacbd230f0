import FoundationEssentials

/// Tells the time of day.
package protocol WallClock: Sendable {
    /// The current time; it may step forwards and backwards when an administrator or the network sets the clock.
    func now() -> Timestamp
}

/// The clock of the machine.
package struct SystemWallClock: WallClock {
    /// The clock of the machine.
    package init() {}

    package func now() -> Timestamp {
        Timestamp(milliseconds: Int64((Date.now.timeIntervalSince1970 * 1000).rounded(.down)))
    }
}
