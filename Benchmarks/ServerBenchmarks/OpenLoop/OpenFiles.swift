#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Limit on the open files of this process, of which every connection of a load takes one.
enum OpenFiles {
    /// Files that are needed beside connections.
    private static let reserve = 500

    /// Raises the limit as far as the system lets this process; programs that it starts begin with the raised one.
    static func raiseLimit() {
        var limit = current
        limit.rlim_cur = limit.rlim_max
        #if canImport(Glibc)
            _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #else
            _ = setrlimit(RLIMIT_NOFILE, &limit)
        #endif
    }

    /// Connections that may be open at the same time.
    static var connectionLimit: Int { max(Int(clamping: current.rlim_cur) - reserve, 64) }

    private static var current: rlimit {
        var limit = rlimit()
        #if canImport(Glibc)
            _ = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #else
            _ = getrlimit(RLIMIT_NOFILE, &limit)
        #endif
        return limit
    }
}
