package import LoadControl

/// Limits on the server's time and memory that one client may take.
package struct RequestLimits: Sendable, Hashable {
    package var bodyByteCount = 64 * 1024
    /// Size of all header fields of a request in bytes.
    package var headerByteCount = 16 * 1024
    /// Time from the first byte of a request to the last byte of its body.
    package var bodyTime: Duration = .seconds(10)
    /// Time after which a connection is closed on which no request begins, a TLS handshake included.
    package var idleTime: Duration = .seconds(30)
    /// Connections open at the same time; more wait in the backlog of the listener.
    package var connectionCount = 10_000
    /// Time for which a stopping server still takes requests while its health says that it is going.
    package var drainTime: Duration = .zero
    /// Connections open at the same time from one client address; nil takes a quarter of all.
    package var connectionCountPerAddress: Int?
    /// Time that requests in flight get to finish when the server stops.
    package var stopTime: Duration = .seconds(20)
    /// Requests without a good secret from one client address: 5,000 people who share one open a sign-in page each within a
    /// minute, with three such requests.
    package var perAddress = RateLimit(perSecond: 200, burst: 5_000)
    /// Requests from one client address that name one user, so that an attacker cannot use up the user's limit
    /// elsewhere.
    package var perUser = RateLimit(perSecond: 10, burst: 120)
    package var overload = OverloadSettings()

    package init() {}

    /// Connections that one client address may have open at the same time.
    ///
    /// A quarter of all leaves room for others whatever one address does, and with the default of 10,000 gives a
    /// carrier, who has thousands of phones behind one address, 2,500 of them at once.
    package var effectiveConnectionCountPerAddress: Int {
        connectionCountPerAddress ?? max(1, connectionCount / 4)
    }

    /// Limits of a listener of administrators, whose imports are long.
    package var ofAdministration: RequestLimits {
        var limits = self
        limits.bodyByteCount = 16 * 1024 * 1024
        limits.connectionCount = min(connectionCount, 100)
        limits.bodyTime = max(bodyTime, .seconds(60))
        return limits
    }
}
