import FoundationEssentials

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Counts the time since the machine started; setting the time of day does not move it.
package protocol MonotonicClock: Sendable {
    /// The time since the machine started, in which it slept or not.
    func sinceStart() -> Duration
    /// Name of this start of the machine, the same for all its processes; nil when the system has none.
    var startID: String? { get }
}

/// The monotonic clock of the machine.
package struct SystemMonotonicClock: MonotonicClock {
    package let startID: String?

    /// The monotonic clock of the machine.
    package init() {
        let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        startID = text?.split(whereSeparator: \.isNewline).first.map(String.init)
    }

    package func sinceStart() -> Duration {
        var time = timespec()
        #if canImport(Darwin)
            clock_gettime(CLOCK_MONOTONIC, &time)
        #else
            clock_gettime(CLOCK_BOOTTIME, &time)
        #endif
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
}
