/// Boot clock: the time since the machine started; setting the time of day does not move it.
package protocol BootClock: Sendable {
    /// The time since the machine started, in which it slept or not.
    func sinceStart() -> Duration
    /// Name of this start of the machine, the same for all its processes; nil when the system has none.
    var startID: String? { get }
}
