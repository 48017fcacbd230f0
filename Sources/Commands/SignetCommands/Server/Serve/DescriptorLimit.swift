import Logging

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The limit of the system on open files and sockets of this process (`RLIMIT_NOFILE`).
struct DescriptorLimit: Equatable {
    /// Descriptors for everything but connections: database, log, certificates, push, event loops.
    static let reserve = 256

    /// What the process may have now.
    let soft: UInt64
    /// Up to where the process itself may raise it.
    let hard: UInt64

    /// The limit that `connectionCount` connections ask for: raised if need be, lowered never, at most the hard one.
    func raised(for connectionCount: Int) -> UInt64 {
        max(soft, min(hard, UInt64(connectionCount + Self.reserve)))
    }

    /// The connections for which a limit leaves room.
    static func connectionCount(under limit: UInt64) -> Int {
        max(0, Int(clamping: limit) - reserve)
    }

    /// Raises the limit for `connectionCount` connections, and says so in words when the system does not give enough.
    static func raise(for connectionCount: Int, logger: Logger) {
        guard let present = current() else { return }
        let wanted = present.raised(for: connectionCount)
        if wanted > present.soft { set(wanted, hard: present.hard) }
        (current() ?? present).warn(for: connectionCount, logger: logger)
    }

    /// Logs a warning when there is no room for `connectionCount` connections.
    func warn(for connectionCount: Int, logger: Logger) {
        guard soft < UInt64(connectionCount + Self.reserve) else { return }
        logger.warning(
            "the system lets this process open too few files for server.max-connections",
            metadata: [
                "open-files": .stringConvertible(soft), "max-connections": .stringConvertible(connectionCount),
                "connections-that-fit": .stringConvertible(Self.connectionCount(under: soft)),
                "remedy": "raise the hard limit (LimitNOFILE= of the service, or ulimit -Hn), or lower max-connections",
            ])
    }

    /// The limit of this process; nil when the system does not tell.
    static func current() -> DescriptorLimit? {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return nil }
        return DescriptorLimit(soft: UInt64(limit.rlim_cur), hard: UInt64(limit.rlim_max))
    }

    private static func set(_ soft: UInt64, hard: UInt64) {
        var limit = rlimit()
        limit.rlim_cur = rlim_t(soft)
        limit.rlim_max = rlim_t(hard)
        _ = setrlimit(resource, &limit)
    }

    #if canImport(Glibc)
        private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
    #else
        private static var resource: Int32 { RLIMIT_NOFILE }
    #endif
}
