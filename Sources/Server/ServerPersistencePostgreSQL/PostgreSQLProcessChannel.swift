import Octets
import ServerCore
import ServerPersistence
import Synchronization

/// Channel between the server processes on one PostgreSQL database, by LISTEN and NOTIFY.
///
/// What is to be sent gathers while the last transaction that notifies is under way, and for a pause afterwards, what is not urgent
/// for longer: a busy server makes few of them with much in each, since all that commit a notification wait for each other. A
/// process hears its own notifications as well, and knows them by its name. After a lost connection it takes it that everything has
/// changed, since it may have missed a message.
final class PostgreSQLProcessChannel: ProcessChannel {
    private static let channel = "signet_processes"
    /// Octets of a datagram: in base64, with the name of the sender, they fit into the 7,999 of a notification.
    private static let datagramLimit = 5_900
    /// Time between two transactions that notify: each costs the database and all listeners as much as a small group of
    /// sign-ins, and a request may wait 50 ms for a message.
    private static let pause: Duration = .milliseconds(20)

    private struct State {
        var batch = ProcessMessageBatch()
        var handler: (@Sendable (ProcessMessage) -> Void)?
        var isSending = false
        /// Whether messages gather that are not urgent, which are sent when their time is over.
        var isGathering = false
        var isClosed = false
    }

    private let pool: PostgreSQLPool
    private let listener: PostgreSQLListener
    private let name: String
    private let state = Mutex(State())

    /// Listens over a separate connection, and notifies over a connection of `pool`; `random` draws the name.
    ///
    /// Throws ``ServerPersistenceError`` when no thread or pipe can be made; a server that is away now is tried again.
    init(
        _ pool: PostgreSQLPool, _ settings: PostgreSQLSettings, random: any RandomSource
    ) throws(ServerPersistenceError) {
        self.pool = pool
        name = CeremonyID(from: random).text
        listener = try PostgreSQLListener(settings, channels: [Self.channel])
        // It ends with the events, which end with the listener.
        Task { [weak self, events = listener.events] in
            for await event in events { self?.hear(event) }
        }
    }

    func send(_ message: ProcessMessage) {
        let step = state.withLock { state -> Step in
            guard !state.isClosed else { return .nothing }
            // What finds no place is lost, as any message may be.
            _ = state.batch.add(message)
            return Self.next(&state)
        }
        take(step)
    }

    func receive(_ handler: @escaping @Sendable (ProcessMessage) -> Void) {
        state.withLock { $0.handler = handler }
    }

    /// Ends the connection that listens; what is sent afterwards is dropped.
    func close() {
        state.withLock { $0.isClosed = true }
        listener.stop()
    }

    // MARK: - Sending

    private enum Step {
        case nothing
        case send
        case gather
    }

    private static func next(_ state: inout State) -> Step {
        guard !state.isSending, !state.batch.isEmpty else { return .nothing }
        if state.batch.isUrgent {
            state.isSending = true
            return .send
        }
        guard !state.isGathering else { return .nothing }
        state.isGathering = true
        return .gather
    }

    private func take(_ step: Step) {
        switch step {
        case .nothing: break
        case .send: Task { await flush() }
        case .gather: Task { await gather() }
        }
    }

    /// Sends what has gathered when its time is over, unless it was sent together with something urgent.
    private func gather() async {
        try? await Task.sleep(for: ProcessMessageBatch.gathering)
        let mustSend = state.withLock { state in
            state.isGathering = false
            guard !state.isSending, !state.batch.isEmpty else { return false }
            state.isSending = true
            return true
        }
        if mustSend { await flush() }
    }

    private func flush() async {
        repeat {
            await notify(
                state.withLock { state in
                    defer { state.batch = ProcessMessageBatch() }
                    return state.batch
                })
            try? await Task.sleep(for: Self.pause)
        } while endsOrGoesOn() == .send
    }

    /// Ends sending, unless more that is urgent has come.
    private func endsOrGoesOn() -> Step {
        let step = state.withLock { state in
            state.isSending = false
            return Self.next(&state)
        }
        if step == .gather { take(step) }
        return step
    }

    private func notify(_ batch: ProcessMessageBatch) async {
        let payloads = batch.datagrams(atMost: Self.datagramLimit).map { "\(name) \(Base64URL.encode($0))" }
        try? await pool.run { seat throws(ServerPersistenceError) in
            let session = try seat.connected()
            for payload in payloads {
                try session.enqueue(PostgreSQLListener.notification, [.text(Self.channel), .text(payload)])
            }
            // One exchange, and with that one transaction.
            _ = try session.flush()
        }
    }

    // MARK: - Hearing

    private func hear(_ event: PostgreSQLListener.Event) {
        guard let handler = state.withLock({ $0.handler }) else { return }
        switch event {
        case .connected:
            for rows in ProcessMessage.SharedRows.allCases { handler(.changed(rows)) }
        case .notified(_, let payload):
            let parts = payload.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, !String(parts[0]).hasSameOctets(as: name),
                let datagram = try? Base64URL.decode(String(parts[1]))
            else { return }
            for message in ProcessMessageBatch.messages(in: datagram) { handler(message) }
        }
    }
}
