package import ServerCore
package import ServerPersistence

/// Ports of one server process to the others on a PostgreSQL database.
///
/// They take two connections beside the connections of the database: one that listens, and one that notifies and holds
/// the locks of what this process leads in.
package final class PostgreSQLProcesses: Sendable {
    /// Questions and notifications that may wait for the connection.
    private static let waitingLimit = 16

    package let ports: ProcessPorts
    private let pool: PostgreSQLPool
    private let channel: PostgreSQLProcessChannel

    /// Describes the connections, which are made when they are needed; `name` is the name of this process, and `random`
    /// draws the one by which it knows its own messages.
    ///
    /// Throws ``ServerPersistenceError`` when no thread or pipe can be made.
    package init(
        _ settings: PostgreSQLSettings, name: String, random: any RandomSource
    ) throws(ServerPersistenceError) {
        let pool = try PostgreSQLPool(PostgreSQLGate(settings), count: 1, waitingLimit: Self.waitingLimit)
        self.pool = pool
        do throws(ServerPersistenceError) {
            channel = try PostgreSQLProcessChannel(pool, settings, random: random)
        } catch {
            pool.close()
            throw error
        }
        ports = ProcessPorts(
            presence: .named(name), channel: channel, leadership: PostgreSQLLeadership(pool: pool))
    }

    /// Ends the connections, and with them the lead.
    package func close() {
        channel.close()
        pool.close()
    }
}

/// Leadership among the server processes on one PostgreSQL database: an advisory lock for each duty, which the session
/// holds.
///
/// The server frees the locks when the connection ends. A process that has lost it does not lead any more and asks anew
/// with the next duty; for a moment another one may lead beside it.
struct PostgreSQLLeadership: Leadership {
    let pool: PostgreSQLPool

    func leads(_ duty: LeadershipDuty) async -> Bool {
        let holds = try? await pool.run { seat throws(ServerPersistenceError) in
            try seat.connected().takes("signet leader " + duty.name)
        }
        return holds ?? false
    }
}

extension PostgreSQLSession {
    private static let lockQuestion = """
        SELECT CAST(CASE WHEN pg_try_advisory_lock(hashtextextended($1, 0)) THEN 1 ELSE 0 END AS BIGINT)
        """

    /// Takes a lock by name, without a wait, until the connection ends; one that the session has already is taken again.
    func takes(_ lock: String) throws(ServerPersistenceError) -> Bool {
        try run(Self.lockQuestion, [.text(lock)]).rows.first?.values.first == .integer(1)
    }
}
