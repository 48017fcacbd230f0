import ServerPersistence

/// Place of one thread, with the connection that it has at the moment.
final class PostgreSQLSeat {
    private let gate: PostgreSQLGate
    private let purpose: PostgreSQLSessionSettings.Purpose
    private var session: PostgreSQLSession?

    init(_ gate: PostgreSQLGate, for purpose: PostgreSQLSessionSettings.Purpose) {
        self.gate = gate
        self.purpose = purpose
    }

    /// The connection; a new one, made by `end` at the latest, when there is none, or when either side has ended it.
    func connected(
        until end: ContinuousClock.Instant? = nil
    ) throws(ServerPersistenceError) -> PostgreSQLSession {
        if let session, session.isAlive { return session }
        session = nil
        let fresh = try gate.connect(for: purpose, until: end)
        session = fresh
        return fresh
    }
}
