import Foundation
import ServerCore
import ServerPersistence
import ServerPersistencePostgreSQL
import Synchronization
import TestSupport
import Testing

@Suite("Sessions on PostgreSQL: what their transactions share")
struct PostgreSQLSessionTests {
    private let opened: OpenedDatabase

    init() throws {
        opened = try StoredDatabase.postgreSQL.empty()
    }

    /// The database over one connection that reads.
    private func database(timeLeft: @escaping @Sendable () -> Duration? = { nil }) throws -> PostgreSQLDatabase {
        var settings = try #require(opened.settings)
        settings.readerCount = 1
        return try PostgreSQLDatabase(settings, timeLeft: timeLeft)
    }

    private static func limit(in database: PostgreSQLDatabase) async throws -> String {
        let queries = [SQLQuery("SELECT current_setting('statement_timeout')", [])]
        guard case .text(let limit)? = try await database.results(of: queries)[0].first?.values.first else { return "" }
        return limit
    }

    @Test("Queries of one exchange see one state")
    func oneState() async throws {
        let query = SQLQuery(
            "SELECT pg_current_snapshot()::text, now()::text, current_setting('transaction_isolation')", [])
        let results = try await database().results(of: [query, SQLQuery("SELECT pg_sleep(0.01)", []), query])
        #expect(results[0] == results[2] && results[0].first?.values.last == .text("repeatable read"))
    }

    @Test("Queries of one exchange cannot write, and nothing remains of those beside one that fails")
    func onlyReading() async throws {
        let database = try database()
        try await database.transaction { connection throws(ServerPersistenceError) in
            try connection.enqueue("CREATE TABLE marks (mark BIGINT)", [])
        }
        let insertion = SQLQuery("INSERT INTO marks (mark) VALUES (1) RETURNING mark", [])
        await #expect(throws: ServerPersistenceError.server(DatabaseServerFailure(.readOnly, state: "25006"))) {
            try await database.results(of: [SQLQuery("SELECT 1", []), insertion])
        }
        let rows = try await database.results(of: [SQLQuery("SELECT mark FROM marks", [])])
        #expect(rows == [[]])
    }

    @Test("The time of a request limits its statements, and not a later request's")
    func limits() async throws {
        let time = Mutex<Duration?>(nil)
        let database = try database { time.withLock { $0 } }
        #expect(try await Self.limit(in: database) == "10s")
        // Rounded up while much is left, so that most requests need no statement for it.
        for (left, limit) in [
            (Duration.seconds(9), "9s"), (.milliseconds(8_990), "9s"), (.milliseconds(8_700), "8750ms"),
        ] {
            time.withLock { $0 = left }
            #expect(try await Self.limit(in: database) == limit)
        }
        time.withLock { $0 = .milliseconds(300) }
        let short = try await Self.limit(in: database)
        #expect(short.hasSuffix("ms") && Int(short.dropLast(2)).map { $0 <= 301 } == true, "\(short)")
        time.withLock { $0 = .seconds(60) }
        #expect(try await Self.limit(in: database) == "10s")
        time.withLock { $0 = nil }
        #expect(try await Self.limit(in: database) == "10s")
    }

    @Test("A limit that is undone with its transaction is set again for the next one")
    func undoneLimit() async throws {
        let time = Mutex<Duration?>(.seconds(4))
        let database = try database { time.withLock { $0 } }
        await #expect(throws: ServerPersistenceError.self) {
            try await database.results(of: [SQLQuery("SELECT absent", [])])
        }
        #expect(try await Self.limit(in: database) == "4s")
    }

    @Test("Nothing is compiled on the server, whatever a statement seems to cost")
    func compilation() async throws {
        let rows = try await database().results(of: [SQLQuery("SELECT current_setting('jit')", [])])
        #expect(rows == [[SQLRow([.text("off")])]])
    }

    @Test(
        "A commit waits for the disk, and for the disk of a synchronous standby, whatever is set for the account",
        arguments: [
            ("off", "on"), ("local", "on"), ("remote_write", "on"), ("on", "on"), ("remote_apply", "remote_apply"),
        ])
    func durability(set: String, used: String) async throws {
        let name = try #require(opened.settings).database
        try PostgresCluster.ofProcess.get().run("ALTER DATABASE \(name) SET synchronous_commit = \(set)")
        let rows = try await database().results(of: [SQLQuery("SELECT current_setting('synchronous_commit')", [])])
        #expect(rows == [[SQLRow([.text(used)])]])
    }

    @Test("The statements of a sign-in are planned once, however many are written together")
    func plans() async throws {
        let stage = try await SignInStage(.postgreSQL, credentials: 12)
        for number in 0..<12 { #expect(try await stage.commit([stage.outcome(number)]) == [.committed]) }
        let database = try #require(stage.opened).database
        // There are two connections that write; the one that has written most knows the statement.
        let plans = try await withThrowingTaskGroup(of: [SQLRow].self) { group in
            for _ in 0..<2 { group.addTask { try await Self.plans(in: database) } }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(!plans.isEmpty)
        for row in plans {
            guard case .integer(let kept) = row.values[0] else { continue }
            #expect(kept > 0 && row.values[1] == .integer(0))
        }
    }

    /// How often a connection ran the statements of sign-ins by a plan that it keeps, and by one of its own.
    private static func plans(in database: any SQLDatabase) async throws -> [SQLRow] {
        try await database.transaction { connection throws(ServerPersistenceError) in
            // As long as the other connection takes to begin.
            _ = try connection.row("SELECT pg_sleep(0.3)", [])
            return try connection.rows(
                """
                SELECT generic_plans, custom_plans FROM pg_prepared_statements
                WHERE statement LIKE 'WITH%consumed_challenges%' OR statement LIKE 'WITH consuming%'
                """, [])
        }
    }

    @Test("A sign-in that waits for its row holds consumption, and not yet the end of the chain")
    func lockOrder() async throws {
        let stage = try await SignInStage(.postgreSQL, credentials: 1)
        let held = SQLQuery(
            "SELECT 1 FROM credentials WHERE registration_id = $1 FOR UPDATE",
            [.blob(stage.credentials[0].registrationID.octets)])
        let (result, locks) = try await Self.whileHeld(held, in: try #require(stage.opened).database) {
            try await stage.storage.unitOfWork.commit(stage.outcome(0))
        }
        #expect(locks == SQLRow([.integer(1), .integer(0)]))
        #expect(result == .committed)
    }

    /// The result of a body that waits for a row which another transaction holds, and how many locks by name it shares or
    /// has alone meanwhile.
    private static func whileHeld(
        _ query: SQLQuery, in database: any SQLDatabase, _ body: @escaping @Sendable () async throws -> CommitResult
    ) async throws -> (CommitResult?, SQLRow?) {
        let running = Mutex<Task<CommitResult, any Error>?>(nil)
        let locks = try await database.transaction { connection throws(ServerPersistenceError) -> SQLRow? in
            _ = try connection.rows(query.sql, query.arguments)
            running.withLock { $0 = Task { try await body() } }
            // Sessions of other tests wait as well, in databases of their own.
            let waiting = "SELECT 1 FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))"
            let end = ContinuousClock.now + .seconds(600)
            while try connection.row(waiting, []) == nil, ContinuousClock.now < end {
                Thread.sleep(forTimeInterval: 0.005)
            }
            return try connection.row(
                """
                SELECT COUNT(*) FILTER (WHERE mode = 'ShareLock'), COUNT(*) FILTER (WHERE mode = 'ExclusiveLock')
                FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
                WHERE locktype = 'advisory' AND datname = current_database()
                """, [])
        }
        return (try await running.withLock { $0 }?.value, locks)
    }
}
