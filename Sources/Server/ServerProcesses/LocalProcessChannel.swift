import Locking
import Metrics
package import ServerCore
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Channel between the server processes of one machine that share a database file, over Unix datagram sockets.
///
/// A separate thread sends and receives. Messages that come while it works gather in a batch, and messages that are not
/// urgent gather for longer, so that a busy server sends few datagrams with much in each, and a request never waits for
/// a socket. A process whose queue stays full is left out of that datagram (`signet_process_messages_dropped_total`).
package final class LocalProcessChannel: ProcessChannel {
    private struct State {
        var batch = ProcessMessageBatch()
        var handler: (@Sendable (ProcessMessage) -> Void)?
        var isClosed = false
    }

    /// Microseconds for which messages gather behind a batch that was sent, and in which nothing is received: both ends
    /// together stay far below the 50 ms that a request may wait for a message.
    private static let gathering: UInt32 = 10_000

    private let folder: PeerFolder
    private let socket: PeerSocket
    private let name: String
    private let state = Mutex(State())
    private let dropped = Counter(label: "signet_process_messages_dropped_total")

    /// Opens a socket beside `databaseFile`; `random` draws its name.
    ///
    /// Throws ``ServerProcessesError``; the database can be used without a channel.
    package init(besides databaseFile: String, random: any RandomSource) throws(ServerProcessesError) {
        folder = try PeerFolder(besides: databaseFile)
        socket = try PeerSocket()
        name = CeremonyID(from: random).text
        try socket.bind(to: folder.address(of: name))
        try start()
    }

    package func send(_ message: ProcessMessage) {
        let (mustWake, lost) = state.withLock { state in
            guard !state.isClosed else { return (false, 0) }
            let (wasEmpty, wasUrgent) = (state.batch.isEmpty, state.batch.isUrgent)
            let lost = state.batch.add(message)
            return (wasEmpty || (state.batch.isUrgent && !wasUrgent), lost)
        }
        if lost > 0 { dropped.increment(by: lost) }
        // When there is something as urgent in the batch already, the thread is on its way.
        if mustWake { wake() }
    }

    package func receive(_ handler: @escaping @Sendable (ProcessMessage) -> Void) {
        state.withLock { $0.handler = handler }
    }

    /// Removes the socket and ends the thread; what is sent afterwards is dropped.
    package func close() {
        let isFirst = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard isFirst else { return }
        wake()
        folder.remove(name)
    }

    // MARK: - Thread

    /// Lets the thread look at the batch, by an empty datagram to the own socket; when its queue is full it is awake.
    private func wake() { _ = socket.send([], to: folder.address(of: name), patience: .zero) }

    private func start() throws(ServerProcessesError) {
        do throws(DetachedThread.Failure) {
            try DetachedThread.start { self.run() }
        } catch {
            throw .socket(path: folder.path, errorNumber: error.errorNumber)
        }
    }

    private func run() {
        var gathering: ContinuousClock.Instant?
        while !state.withLock({ $0.isClosed }) {
            switch socket.receive(until: gathering) {
            case .datagram(let datagram): deliver(datagram)
            case .nothing: break
            case .ended: return flush()
            }
            gathering = flushIfDue(gathering)
        }
        // What was said before the end is still sent.
        flush()
    }

    /// Sends what is urgent, or has gathered until `end`; returns the end of the gathering that goes on, nil for none.
    private func flushIfDue(_ end: ContinuousClock.Instant?) -> ContinuousClock.Instant? {
        let (isEmpty, isUrgent) = state.withLock { ($0.batch.isEmpty, $0.batch.isUrgent) }
        let now = ContinuousClock.now
        if isEmpty { return nil }
        if isUrgent || end.map({ now >= $0 }) == true {
            flush()
            return nil
        }
        return end ?? now + ProcessMessageBatch.gathering
    }

    private func flush() {
        let batch = state.withLock { state in
            defer { state.batch = ProcessMessageBatch() }
            return state.batch
        }
        guard !batch.isEmpty else { return }
        let others = folder.names.filter { $0 != name }
        for datagram in batch.datagrams(atMost: PeerSocket.datagramLimit) {
            PeerPost(folder: folder, socket: socket).send(datagram, to: others, dropped)
        }
        usleep(Self.gathering)
    }

    private func deliver(_ datagram: [UInt8]) {
        guard !datagram.isEmpty, let handler = state.withLock({ $0.handler }) else { return }
        for message in ProcessMessageBatch.messages(in: datagram) { handler(message) }
    }
}

extension LocalProcessChannel {
    /// Channel of a command, which says what it has changed and hears nothing.
    package struct Announcer: ProcessChannel {
        private let post: PeerPost
        private let dropped = Counter(label: "signet_process_messages_dropped_total")

        /// Sends to the processes that have a socket beside `databaseFile`.
        ///
        /// Throws ``ServerProcessesError``; the database can be used without a channel.
        package init(besides databaseFile: String) throws(ServerProcessesError) {
            post = PeerPost(folder: try PeerFolder(besides: databaseFile), socket: try PeerSocket())
        }

        package func send(_ message: ProcessMessage) {
            var batch = ProcessMessageBatch()
            guard batch.add(message) == 0 else { return }
            for datagram in batch.datagrams(atMost: PeerSocket.datagramLimit) {
                post.send(datagram, to: post.folder.names, dropped)
            }
        }

        package func receive(_ handler: @escaping @Sendable (ProcessMessage) -> Void) {}
    }
}

/// Delivery of datagrams to the sockets of a folder.
private struct PeerPost: Sendable {
    let folder: PeerFolder
    let socket: PeerSocket

    /// Sends to each process, and removes the sockets of those that have ended.
    func send(_ datagram: [UInt8], to names: [String], _ dropped: Counter) {
        for name in names {
            switch socket.send(datagram, to: folder.address(of: name)) {
            case .sent: continue
            case .ended: folder.remove(name)
            case .refused: dropped.increment()
            }
        }
    }
}
