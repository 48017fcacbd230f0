/// Time source of the cool-downs.
package protocol CoolDownClock: Sendable {
    /// Reads all clocks at once.
    func read() -> ClockReading
}
