/// Time source of the cool-downs.
package protocol CoolDownClock: Sendable {
    func read() -> ClockReading
}
