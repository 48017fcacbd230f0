#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Signals to other processes.
enum Signal {
    /// Ends a process at once, without giving it a chance to clean up.
    static func end(_ process: Int32) {
        _ = kill(process, SIGKILL)
    }
}
