import CPostgreSQL
import ServerCore
import ServerPersistence

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Limit of the time for which a thread waits for the server.
///
/// The server ends what takes too long, unless it is stopped or the network drops what either side sends: then only this
/// limit ends the wait, and with it the connection.
struct PostgreSQLWaitLimit: Sendable {
    /// Time beyond the limits that the server keeps, within which its answer arrives.
    static let allowance: Duration = .seconds(1)
    /// Time between two looks at a connection with TLS, whose library may hold octets that the socket tells nothing of.
    private static let lookInterval: Duration = .milliseconds(20)
    /// Milliseconds of one wait at most, some days.
    private static let longestPoll: Int64 = 1_000_000_000

    /// Time for the result of one statement; nil for any.
    private let statementTime: Duration?
    private let end: ContinuousClock.Instant?

    /// Limit for statements of which each may take `statementTimeout`, zero for any time, and that are of no use after
    /// `deadline`.
    init(statementTimeout: Duration, deadline: ContinuousClock.Instant? = nil) {
        statementTime = statementTimeout > .zero ? statementTimeout + Self.allowance : nil
        end = deadline.map { $0 + Self.allowance }
    }

    /// Limit for what is to be over at a moment, which is passed without an allowance; nil for none.
    init(until end: ContinuousClock.Instant?) {
        statementTime = nil
        self.end = end
    }

    var ofNextResult: ContinuousClock.Instant? {
        guard let statementTime else { return end }
        let statementEnd = ContinuousClock.now + statementTime
        return end.map { min($0, statementEnd) } ?? statementEnd
    }

    /// Waits until a connection may have something for its thread; false when `limit` has passed before.
    static func wait(
        for events: Int32, of connection: OpaquePointer, until limit: ContinuousClock.Instant?
    ) -> Bool {
        var descriptor = pollfd(fd: PQsocket(connection), events: Int16(events), revents: 0)
        var result: Int32
        repeat {
            var time = limit.map { max(.zero, $0 - ContinuousClock.now) }
            if PQsslInUse(connection) == 1 { time = min(time ?? lookInterval, lookInterval) }
            // A part of a millisecond counts as one.
            let pause = time.map { Int32(clamping: min($0.wholeMilliseconds, longestPoll)) + 1 } ?? -1
            result = poll(&descriptor, 1, pause)
        } while result < 0 && errno == EINTR
        return result != 0 || limit.map { ContinuousClock.now < $0 } ?? true
    }

    // MARK: - Connecting

    /// Brings a connection that was begun to its end, good or bad; each address of the host has `addressTime`.
    ///
    /// Throws ``DatabaseServerFailure/Reason/unreachable`` when no address answers in time.
    func connect(_ connection: OpaquePointer, addressTime: Duration) throws(ServerPersistenceError) {
        // It ends at once where the library has no server to wait for.
        guard PQstatus(connection) != CONNECTION_BAD else { return }
        let unreachable = ServerPersistenceError.server(
            DatabaseServerFailure(.unreachable, detail: "timeout expired"))
        var (address, addressEnd) = (Self.address(of: connection), ContinuousClock.now + addressTime)
        var (status, isLate) = (PGRES_POLLING_WRITING, false)
        while status == PGRES_POLLING_WRITING || status == PGRES_POLLING_READING {
            let limit = end.map { min($0, addressEnd) } ?? addressEnd
            let events = status == PGRES_POLLING_READING ? POLLIN : POLLOUT
            if !Self.wait(for: Int32(events), of: connection, until: limit) {
                if let end, end <= ContinuousClock.now { throw unreachable }
                // Without its socket the library takes the next address, or gives up.
                isLate = true
                addressEnd = ContinuousClock.now + addressTime
                guard shutdown(PQsocket(connection), Int32(SHUT_RDWR)) == 0 else { throw unreachable }
            }
            status = PQconnectPoll(connection)
            let present = Self.address(of: connection)
            if present != address { (address, addressEnd) = (present, ContinuousClock.now + addressTime) }
        }
        if isLate, status != PGRES_POLLING_OK { throw unreachable }
    }

    private static func address(of connection: OpaquePointer) -> String {
        [PQhost(connection), PQhostaddr(connection)].map { $0.map { String(cString: $0) } ?? "" }
            .joined(separator: " ")
    }
}
