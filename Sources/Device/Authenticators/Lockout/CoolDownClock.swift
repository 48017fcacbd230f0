/// Where cool-down times come from.
package protocol CoolDownClock: Sendable {
    /// What the clocks say now.
    func read() -> ClockReading
}
