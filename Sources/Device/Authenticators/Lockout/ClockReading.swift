package import HardwareKeys

/// Simultaneous reading of all clocks of the device.
package struct ClockReading: Hashable, Sendable {
    /// Seconds since 1970 on the clock that the user can set.
    package let wallSeconds: Int64
    package let bootID: BootID
    /// Milliseconds since that run began, sleep included; this clock cannot be set.
    package let bootMilliseconds: Int64
    /// Clock of the chip; nil where there is none or it did not answer.
    package let chip: TrustedTime?

    package init(wallSeconds: Int64, bootID: BootID, bootMilliseconds: Int64, chip: TrustedTime? = nil) {
        self.wallSeconds = wallSeconds
        self.bootID = bootID
        self.bootMilliseconds = bootMilliseconds
        self.chip = chip
    }

    func with(_ chip: TrustedTime?) -> ClockReading {
        ClockReading(wallSeconds: wallSeconds, bootID: bootID, bootMilliseconds: bootMilliseconds, chip: chip)
    }

    /// Elapsed time since `earlier`, as far as all clocks agree; nil when it cannot be determined.
    ///
    /// In one run of the operating system the time since its start counts, after a restart the clock in a chip. Where
    /// neither can be had, or a clock shows less than it did, they cannot tell. The wall clock counts when it moved
    /// less: setting it forward, or showing this process another time, gains nothing.
    package func elapsed(since earlier: ClockReading) -> Duration? {
        let steady = bootID == earlier.bootID ? bootTime(since: earlier) : chipTime(since: earlier)
        let (wall, overflow) = wallSeconds.subtractingReportingOverflow(earlier.wallSeconds)
        guard let steady, !overflow, wall >= 0 else { return nil }
        // The wall clock is read in whole seconds, so it may lag by one; that must not make a user wait again.
        return min(steady, .seconds(wall) + .seconds(1))
    }

    private func bootTime(since earlier: ClockReading) -> Duration? {
        let (milliseconds, overflow) = bootMilliseconds.subtractingReportingOverflow(earlier.bootMilliseconds)
        guard !overflow, milliseconds >= 0 else { return nil }
        return .milliseconds(milliseconds)
    }

    /// Elapsed time by the clock of the chip, which must be reliable and not have been reset in between.
    private func chipTime(since earlier: ClockReading) -> Duration? {
        guard let chip, let before = earlier.chip, chip.isSafe, chip.resetCount >= before.resetCount else { return nil }
        let (milliseconds, overflow) = chip.milliseconds.subtractingReportingOverflow(before.milliseconds)
        guard !overflow else { return nil }
        return .milliseconds(Int64(clamping: milliseconds))
    }
}
