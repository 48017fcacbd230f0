/// What one client may take of the server's time and memory.
package struct RequestLimits: Sendable, Hashable {
    /// Size of a request body in bytes.
    package var bodyByteCount = 64 * 1024
    /// Size of all header fields of a request in bytes.
    package var headerByteCount = 16 * 1024
    /// Time in which the whole body has to arrive once the header is there.
    package var bodyTime: Duration = .seconds(10)
    /// Time in which a header has to arrive on an open connection; an idle connection is closed after it.
    package var idleTime: Duration = .seconds(30)
    /// Connections open at the same time; more wait in the backlog of the listener.
    package var connectionCount = 10_000
    /// Time for which a stopping server still takes requests while its health says that it is going.
    package var drainTime: Duration = .zero
    /// Time that requests in flight get to finish when the server stops.
    package var stopTime: Duration = .seconds(20)
    /// Requests from one client address; many users may share one.
    package var perAddress = RateLimit(perSecond: 200, burst: 1_000)
    /// Requests from one client address that name one user, so that nobody can use up what the user has elsewhere.
    package var perUser = RateLimit(perSecond: 10, burst: 120)

    /// The defaults.
    package init() {}
}
