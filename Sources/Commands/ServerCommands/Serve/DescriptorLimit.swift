import CommandSupport
import Foundation
import Logging

/// Limit of the operating system on the open files and sockets of this process (`RLIMIT_NOFILE`).
struct DescriptorLimit: Equatable {
    /// Number of descriptors for everything but connections: database, log, certificates, push, event loops.
    static let reserve = 256

    /// Soft limit, which applies at present.
    let soft: UInt64
    /// Hard limit, up to which the process may raise the soft one.
    let hard: UInt64

    /// Soft limit for `connectionCount` connections: raised if need be, never lowered, at most the hard limit.
    func raised(for connectionCount: Int) -> UInt64 {
        max(soft, min(hard, UInt64(connectionCount + Self.reserve)))
    }

    /// Raises the soft limit to what the server needs for one connection.
    ///
    /// Throws a failure where the hard limit is lower: further on, libraries find no way to say what is missing.
    static func require() throws(CommandFailure) {
        guard let present = current() else { return }
        present.raiseSoft(to: present.raised(for: 1))
        try (current() ?? present).require()
    }

    func require() throws(CommandFailure) {
        guard Self.connectionCount(under: soft) < 1 else { return }
        throw .local(
            "tooFewFiles",
            "the system lets this process open \(soft) files; the server needs \(Self.reserve), and one more for each "
                + "connection: raise the hard limit (LimitNOFILE= of the service, or ulimit -Hn)")
    }

    static func connectionCount(under limit: UInt64) -> Int {
        max(0, Int(clamping: limit) - reserve)
    }

    /// Raises the soft limit for `connectionCount` connections, and returns how many of them fit.
    ///
    /// Logs a warning when the hard limit is too low: further connections would take what the rest of the server has to open,
    /// and wait instead.
    static func raise(for connectionCount: Int, logger: Logger) -> Int {
        guard let present = current() else { return connectionCount }
        present.raiseSoft(to: present.raised(for: connectionCount))
        let raised = current() ?? present
        raised.warn(for: connectionCount, logger: logger)
        return min(connectionCount, Self.connectionCount(under: raised.soft))
    }

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

    /// The limit of this process; nil when the system does not report one.
    static func current() -> DescriptorLimit? {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return nil }
        return DescriptorLimit(soft: UInt64(limit.rlim_cur), hard: UInt64(limit.rlim_max))
    }

    /// Raises the soft limit as far as the system lets it: Darwin refuses some values below its hard limit.
    private func raiseSoft(to wanted: UInt64) {
        var wanted = wanted
        while wanted > soft {
            var limit = rlimit()
            limit.rlim_cur = rlim_t(wanted)
            limit.rlim_max = rlim_t(hard)
            if setrlimit(Self.resource, &limit) == 0 { return }
            wanted = soft + (wanted - soft) / 2
        }
    }

    #if canImport(Glibc)
        private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
    #else
        private static var resource: Int32 { RLIMIT_NOFILE }
    #endif
}
