import ServerPersistence

/// Place of one thread, with the connection that it has at the moment.
final class PostgreSQLSeat {
    private let gate: PostgreSQLGate
    private var session: PostgreSQLSession?

    init(_ gate: PostgreSQLGate) {
        self.gate = gate
    }

    /// The connection; a new one, made by `end` at the latest, when there is none, or when either side has ended it.
    func connected(
        until end: ContinuousClock.Instant? = nil
    ) throws(ServerPersistenceError) -> PostgreSQLSession {
        if let session, session.isAlive { return session }
        session = nil
        let fresh = try gate.connect(until: end)
        session = fresh
        return fresh
    }
}
