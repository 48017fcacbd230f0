/// Tells the time of day.
package protocol WallClock: Sendable {
    /// The current time; it may step forwards and backwards when an administrator or the network sets the clock.
    func now() -> Timestamp
}
