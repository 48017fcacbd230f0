/// What the clocks of the device said at one moment.
package struct ClockReading: Hashable, Sendable {
    /// Seconds since 1970 on the clock that the user can set.
    package let wallSeconds: Int64
    /// Which run of the operating system it was.
    package let bootID: BootID
    /// Milliseconds since that run began, sleep included; nobody can set this clock.
    package let bootMilliseconds: Int64

    /// States a moment.
    package init(wallSeconds: Int64, bootID: BootID, bootMilliseconds: Int64) {
        self.wallSeconds = wallSeconds
        self.bootID = bootID
        self.bootMilliseconds = bootMilliseconds
    }

    /// How long ago `earlier` was, as far as both clocks agree; nil when they cannot tell.
    ///
    /// They cannot tell after a restart, and when a clock shows less than it did. Otherwise the clock that moved less
    /// counts: setting the wall clock forward, or showing this process another time since boot, gains nothing.
    package func elapsed(since earlier: ClockReading) -> Duration? {
        guard bootID == earlier.bootID else { return nil }
        let (boot, bootOverflow) = bootMilliseconds.subtractingReportingOverflow(earlier.bootMilliseconds)
        let (wall, wallOverflow) = wallSeconds.subtractingReportingOverflow(earlier.wallSeconds)
        guard !bootOverflow, !wallOverflow, boot >= 0, wall >= 0 else { return nil }
        // The wall clock is read in whole seconds, so it may lag by one; that must not make a user wait again.
        return min(.milliseconds(boot), .seconds(wall) + .seconds(1))
    }
}
