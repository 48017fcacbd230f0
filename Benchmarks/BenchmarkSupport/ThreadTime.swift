#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Processor time of this thread, which does not include the time that a shared machine gives to others in between.
package enum ThreadTime {
    /// Nanoseconds since the thread began.
    package static var nanoseconds: Double {
        var time = timespec()
        let result = clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        precondition(result == 0, "every supported system counts the time of threads")
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
}
