#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The processor time that this thread has had; what a shared machine gives to others in between does not count.
package enum ThreadTime {
    /// Nanoseconds since the thread began.
    package static var nanoseconds: Double {
        var time = timespec()
        let result = clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        precondition(result == 0, "every supported system counts the time of threads")
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
}
