import Glibc

/// Processor time of this process, on all threads.
package enum ProcessorTime {
    /// The time in milliseconds.
    package static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1_000_000
    }
}
