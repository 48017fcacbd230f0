import CPostgreSQL
import Locking
package import ServerPersistence

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Connection that only listens: what other processes notify over the database (LISTEN, NOTIFY).
///
/// It has a separate thread, and connects again when its connection ends.
package final class PostgreSQLListener: Sendable {
    /// Event of the connection.
    package enum Event: Sendable, Hashable {
        /// From now on nothing is missed; what was sent before, since the last connection ended, may have been.
        case connected
        /// A process has committed a notification.
        case notified(channel: String, payload: String)
    }

    /// Time without a word after which the server is asked whether it is still there.
    private static let silence: Int32 = 15_000
    /// Wait before the next attempt to connect, in milliseconds; the way to the server adds its own waits.
    private static let retryWait: Int32 = 50

    /// The events; of events that no reader has taken yet the newest thousand are kept.
    package let events: AsyncStream<Event>

    private let continuation: AsyncStream<Event>.Continuation
    private let gate: PostgreSQLGate
    private let channels: [String]
    /// Ends of a pipe, over which the thread is told to end.
    private let ends: (reading: Int32, writing: Int32)

    /// Listens on channels, whose names consist of small letters and underscores.
    package init(_ settings: PostgreSQLSettings, channels: [String]) throws(ServerPersistenceError) {
        for channel in channels where !channel.allSatisfy({ $0 == "_" || ("a"..."z").contains($0) }) {
            throw .statement(code: PostgreSQLFailure.code("42602"))
        }
        var descriptors: [Int32] = [-1, -1]
        guard pipe(&descriptors) == 0 else { throw .file(errorNumber: errno) }
        for descriptor in descriptors { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        ends = (descriptors[0], descriptors[1])
        gate = PostgreSQLGate(settings)
        self.channels = channels
        (events, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(1_000))
        try start()
    }

    package func stop() {
        var octet: UInt8 = 1
        _ = write(ends.writing, &octet, 1)
    }

    /// Statement that notifies the listeners of a channel when its transaction commits; `$1` is the channel, `$2` a text of
    /// 7,999 octets at most.
    package static let notification = "SELECT pg_notify($1, $2)"

    // MARK: - Thread

    private func start() throws(ServerPersistenceError) {
        do throws(DetachedThread.Failure) {
            try DetachedThread.start { self.work() }
        } catch {
            throw .server(DatabaseServerFailure(.resources))
        }
    }

    deinit {
        close(ends.reading)
        close(ends.writing)
    }

    private func work() {
        while true {
            if let session = try? listening() {
                continuation.yield(.connected)
                if hear(session) { break }
            }
            if isAsked(to: nil, within: Self.retryWait) == .stop { break }
        }
        continuation.finish()
    }

    private func listening() throws(ServerPersistenceError) -> PostgreSQLSession {
        let session = try gate.connect()
        for channel in channels { _ = try session.run("LISTEN \(channel)", []) }
        return session
    }

    /// Passes notifications on until the connection ends; true when the thread was told to end.
    private func hear(_ session: PostgreSQLSession) -> Bool {
        while true {
            // Also what came together with the answer to a statement: the socket tells nothing of that.
            passOn(from: session)
            switch isAsked(to: PQsocket(session.connection), within: Self.silence) {
            case .stop: return true
            case .read: if !session.isAlive { return false }
            case .nothing: if (try? session.run("SELECT 1", [])) == nil { return false }
            }
        }
    }

    private func passOn(from session: PostgreSQLSession) {
        while let notification = PQnotifies(session.connection) {
            let content = notification.pointee
            continuation.yield(
                .notified(
                    channel: content.relname.map { String(cString: $0) } ?? "",
                    payload: content.extra.map { String(cString: $0) } ?? ""))
            PQfreemem(notification)
        }
    }

    private enum Request {
        case stop, read, nothing
    }

    /// Waits until there is something to read, or the thread is told to end.
    private func isAsked(to socket: Int32?, within milliseconds: Int32) -> Request {
        var descriptors = [pollfd(fd: ends.reading, events: Int16(POLLIN), revents: 0)]
        if let socket { descriptors.append(pollfd(fd: socket, events: Int16(POLLIN), revents: 0)) }
        guard poll(&descriptors, nfds_t(descriptors.count), milliseconds) > 0 else { return .nothing }
        return descriptors[0].revents != 0 ? .stop : .read
    }
}
