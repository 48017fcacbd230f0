import LoadControl
import ServerCore
package import ServerPersistence

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A database on a PostgreSQL server, 15 or later, over its own connections.
///
/// Writing transactions run beside each other (READ COMMITTED): what a rule judges is a row that it holds, a condition in
/// the statement that writes, or under a lock by name. Reads see one state (REPEATABLE READ, READ ONLY). Every body runs
/// on the thread of a connection, and once more from the start when the server gives its transaction up for another one.
/// A server that does not answer is waited for until shortly after the deadline (``PostgreSQLWaitLimit``).
package final class PostgreSQLDatabase: SQLDatabase {
    /// Runs of a body at most, when the server gives each up for another transaction or ends the connection.
    static let attemptLimit = 8
    /// Wait for another migration, after which the caller may say that it waits, and try again; as long as SQLite waits.
    static let migrationWait: Duration = .seconds(5)
    /// Connections that write: one for the group that commits, one for what stands beside it, or for a second group.
    private static let writerCount = 2

    private let gate: PostgreSQLGate
    private let readers: PostgreSQLPool
    private let writers: PostgreSQLPool
    private let timeLimit: PostgreSQLTimeLimit

    /// Describes the database; connections are made when something is to be done.
    ///
    /// Each read and transaction asks `timeLeft` in its task: the time after which no request waits for its statements
    /// any more; nil for none.
    package init(
        _ settings: PostgreSQLSettings, timeLeft: @escaping @Sendable () -> Duration? = { nil }
    ) throws(ServerPersistenceError) {
        timeLimit = PostgreSQLTimeLimit(statementTimeout: settings.statementTimeout, timeLeft: timeLeft)
        gate = PostgreSQLGate(settings)
        readers = try PostgreSQLPool(
            gate, for: .reading, count: settings.readerCount, waitingLimit: settings.waitingReadCount)
        do throws(ServerPersistenceError) {
            writers = try PostgreSQLPool(gate, count: Self.writerCount, waitingLimit: settings.waitingReadCount)
        } catch {
            readers.close()
            throw error
        }
    }

    deinit { close() }

    /// Lets the connections end after what is under way.
    package func close() {
        readers.close()
        writers.close()
    }

    package var isBehindNetwork: Bool { true }

    package var signIns: (any SignInWriter)? { PostgreSQLSignIns(writers: writers, timeLimit: timeLimit) }

    package func read<Value: Sendable>(_ body: @escaping SQLBody<Value>) async throws(ServerPersistenceError) -> Value {
        let beginning = timeLimit.beginning(Self.readingWords)
        return try await readers.run(during: RequestLifetime.current) { seat throws(ServerPersistenceError) in
            try Self.repeating { () throws(ServerPersistenceError) in
                try Self.read(body, beginning, on: beginning.connection(of: seat))
            }
        }
    }

    /// One exchange with the server, which is the whole transaction.
    ///
    /// It begins with the first statement, ends with the last, and has the isolation of the session. A group has at most 128
    /// queries (``GroupRead``).
    package func results(of queries: [SQLQuery]) async throws(ServerPersistenceError) -> [[SQLRow]] {
        let beginning = timeLimit.beginning(nil)
        return try await readers.run(during: RequestLifetime.current) { seat throws(ServerPersistenceError) in
            try Self.repeating { () throws(ServerPersistenceError) in
                try Self.results(of: queries, beginning, on: beginning.connection(of: seat))
            }
        }
    }

    package func transaction<Value: Sendable>(
        _ body: @escaping SQLBody<Value>
    ) async throws(ServerPersistenceError) -> Value {
        try await write(body, timeLimit.beginning(Self.writingWords))
    }

    package func migration<Value: Sendable>(
        _ body: @escaping SQLBody<Value>
    ) async throws(ServerPersistenceError) -> Value {
        let patient: SQLBody<Value> = { connection throws(ServerPersistenceError) in
            try connection.enqueue("SET LOCAL lock_timeout = \(Self.migrationWait.wholeMilliseconds)", [])
            try connection.lock(.schema)
            try connection.enqueue("SET LOCAL lock_timeout = 0", [])
            return try body(connection)
        }
        return try await write(patient, timeLimit.endless(Self.writingWords))
    }

    /// On a further connection, which holds a lock of its session meanwhile.
    ///
    /// The lock is not waited for: a statement that waits would itself keep `CREATE INDEX CONCURRENTLY` waiting.
    package func backgroundWork<Value: Sendable>(
        _ body: @escaping SQLBody<Value>
    ) async throws(ServerPersistenceError) -> Value? {
        let pool = try PostgreSQLPool(gate, count: 1, waitingLimit: 1)
        defer { pool.close() }
        return try await pool.run { seat throws(ServerPersistenceError) in
            let session = try seat.connected()
            session.waitLimit = PostgreSQLWaitLimit(statementTimeout: .zero)
            try session.enqueue("SET statement_timeout = 0", [])
            try session.enqueue("SET lock_timeout = 0", [])
            guard try session.takes("signet background work") else { return nil }
            return try body(PostgreSQLConnection(session: session))
        }
    }

    private func write<Value: Sendable>(
        _ body: @escaping SQLBody<Value>, _ beginning: PostgreSQLTimeLimit.Beginning
    ) async throws(ServerPersistenceError) -> Value {
        try await writers.run { seat throws(ServerPersistenceError) in
            try Self.repeating { () throws(ServerPersistenceError) in
                try Self.write(body, beginning, on: beginning.connection(of: seat))
            }
        }
    }

    // MARK: - Transactions

    private static let writingWords = "BEGIN ISOLATION LEVEL READ COMMITTED"
    private static let readingWords = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

    private static func read<Value>(
        _ body: SQLBody<Value>, _ beginning: PostgreSQLTimeLimit.Beginning, on session: PostgreSQLSession
    ) throws(ServerPersistenceError) -> Value {
        try beginning.enqueue(on: session)
        do throws(ServerPersistenceError) {
            let value = try body(PostgreSQLConnection(session: session))
            try session.enqueue("COMMIT", [])
            // No request waits for the end of a read.
            try session.post()
            return value
        } catch {
            rollBack(session)
            throw beginning.judged(error)
        }
    }

    private static func results(
        of queries: [SQLQuery], _ beginning: PostgreSQLTimeLimit.Beginning, on session: PostgreSQLSession
    ) throws(ServerPersistenceError) -> [[SQLRow]] {
        try beginning.enqueue(on: session)
        do throws(ServerPersistenceError) {
            for query in queries { try session.enqueue(query.sql, query.arguments) }
            return try session.flush().suffix(queries.count).map(\.rows)
        } catch {
            // The server has undone it at the end of the exchange.
            session.discard()
            throw beginning.judged(error)
        }
    }

    private static func write<Value>(
        _ body: SQLBody<Value>, _ beginning: PostgreSQLTimeLimit.Beginning, on session: PostgreSQLSession
    ) throws(ServerPersistenceError) -> Value {
        try beginning.enqueue(on: session)
        do throws(ServerPersistenceError) {
            let value = try body(PostgreSQLConnection(session: session))
            try commit(session)
            return value
        } catch {
            rollBack(session)
            throw beginning.judged(error)
        }
    }

    /// Commits, together with the statements that wait.
    ///
    /// Throws ``DatabaseServerFailure/Reason/commitUnknown`` when the connection ends before the server has answered.
    static func commit(_ session: PostgreSQLSession) throws(ServerPersistenceError) {
        let replies: [PostgreSQLSession.Reply]
        do throws(ServerPersistenceError) {
            try session.enqueue("COMMIT", [])
            replies = try session.flush()
        } catch {
            throw unknown(error, on: session)
        }
        // The server answers the COMMIT of a transaction that has failed with ROLLBACK, and without an error.
        guard replies.last?.tag == "COMMIT" else { throw .conflict }
    }

    /// Error of an exchange with a COMMIT at its end: when the connection has ended before the server said how far it
    /// came, it is unknown whether the commit was made.
    static func unknown(_ error: ServerPersistenceError, on session: PostgreSQLSession) -> ServerPersistenceError {
        error.endsConnection && session.state != .endedBeforeLast
            ? .server(DatabaseServerFailure(.commitUnknown)) : error
    }

    /// Undoes the open transaction; without a connection the server does it.
    static func rollBack(_ session: PostgreSQLSession) {
        session.discard()
        guard session.isAlive else { return }
        session.waitLimit = PostgreSQLWaitLimit(statementTimeout: PostgreSQLWaitLimit.allowance)
        _ = try? session.run("ROLLBACK", [])
    }

    /// Runs work again while the server gives it up for another transaction, or has ended the connection before anything
    /// was committed.
    static func repeating<Value>(
        _ work: () throws(ServerPersistenceError) -> Value
    ) throws(ServerPersistenceError) -> Value {
        var attempts = 1
        while true {
            do throws(ServerPersistenceError) {
                return try work()
            } catch {
                guard error.isWorthAnotherAttempt, attempts < attemptLimit else { throw error }
                usleep(UInt32.random(in: 0...(2_000 << UInt32(attempts))))
                attempts += 1
            }
        }
    }
}

extension ServerPersistenceError {
    var endsConnection: Bool {
        guard case .server(let failure) = self else { return false }
        return [.connectionLost, .shutdown, .unanswered].contains(failure.reason)
    }

    var hasServerState: Bool {
        switch self {
        case .server(let failure): failure.state != nil
        case .conflict, .constraint, .statement: true
        default: false
        }
    }

    /// Whether nothing was written, and the same may succeed at once, on another connection if this one has ended.
    fileprivate var isWorthAnotherAttempt: Bool {
        guard case .server(let failure) = self else { return self == .conflict }
        // The next request that needs a connection tries again to make one. A server that does not answer would not do
        // so in time either.
        return endsConnection && failure.detail == nil && failure.reason != .unanswered
    }
}
