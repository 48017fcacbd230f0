import ServerCore
import ServerPersistence
import ServerPersistencePostgreSQL
import TestSupport
import Testing

@Suite("PostgreSQL database")
struct PostgreSQLDatabaseTests {
    private let opened: OpenedDatabase
    private var database: any SQLDatabase { opened.database }

    init() throws {
        opened = try StoredDatabase.postgreSQL.empty()
    }

    private func settings(_ change: (inout PostgreSQLSettings) -> Void) throws -> PostgreSQLSettings {
        var settings = try #require(opened.settings)
        change(&settings)
        return settings
    }

    /// The reason for which nothing can be read with such settings.
    private func refusal(_ change: (inout PostgreSQLSettings) -> Void) async throws -> DatabaseServerFailure? {
        let database = try PostgreSQLDatabase(settings(change))
        do throws(ServerPersistenceError) {
            _ = try await database.read { connection throws(ServerPersistenceError) in
                try connection.row("SELECT 1", [])
            }
            return nil
        } catch {
            guard case .server(let failure) = error else { throw error }
            return failure
        }
    }

    /// The error of a statement in a transaction.
    private func failure(
        of sql: String, _ arguments: [SQLValue] = [], on database: (any SQLDatabase)? = nil
    ) async throws -> ServerPersistenceError? {
        do throws(ServerPersistenceError) {
            _ = try await (database ?? self.database).transaction { connection throws(ServerPersistenceError) in
                try connection.rows(sql, arguments)
            }
            return nil
        } catch {
            return error
        }
    }

    @Test("A statement that was prepared while its table was empty does not read all of it later")
    func plannedOnEmptyTable() async throws {
        let migrated = try await StoredDatabase.postgreSQL.migrated(at: Timestamp(seconds: 1_700_000_000))
        let reads = try await migrated.database.transaction { connection throws(ServerPersistenceError) in
            let last = "SELECT sequence, hash FROM audit_records WHERE chain_id = $1 ORDER BY sequence DESC LIMIT 1"
            // An empty table that was analyzed is expected to stay empty.
            try connection.enqueue("ANALYZE audit_records", [])
            // From the sixth time on PostgreSQL keeps a plan that holds for all arguments.
            for _ in 0..<10 { _ = try connection.row(last, [.text("a")]) }
            try connection.enqueue(
                """
                INSERT INTO audit_records (chain_id, sequence, recorded_at, event, previous_hash, hash)
                SELECT $1, number, 0, $2, $2, $2 FROM generate_series(1, 1000) AS number
                """, [.text("a"), .blob([1])])
            for _ in 0..<10 { _ = try connection.row(last, [.text("a")]) }
            return try connection.row(
                "SELECT idx_scan FROM pg_stat_xact_user_tables WHERE relname = 'audit_records'", [])
        }
        #expect(reads == SQLRow([.integer(20)]))
    }

    @Test("Every kind of value comes back as it went in, empty ones and the ends of numbers included")
    func values() async throws {
        let values: [(SQLValue, String)] = [
            (.null, "bigint"), (.integer(.min), "bigint"), (.integer(.max), "bigint"), (.integer(0), "bigint"),
            (.text(""), "text"), (.text("ü🙂"), "text"), (.text("'; --"), "text"), (.blob([]), "bytea"),
            (.blob([0]), "bytea"), (.blob([UInt8](repeating: 7, count: 70_000)), "bytea"),
        ]
        for (value, type) in values {
            let row = try await database.read { connection throws(ServerPersistenceError) in
                try connection.row("SELECT $1::\(type), $2::bigint", [value, .integer(1)])
            }
            #expect(row == SQLRow([value, .integer(1)]))
        }
    }

    @Test("A text with a NUL, which PostgreSQL has none of, is an error and nothing is cut off")
    func nul() async throws {
        let code = try #require(Int("22021", radix: 36))
        #expect(try await failure(of: "SELECT $1::text", [.text("a\0b")]) == .statement(code: code))
        #expect(try await failure(of: "SELECT $1::text", [.text("ab")]) == nil)
    }

    @Test("Errors tell broken rules of the schema from wrong statements, and the next transaction works")
    func errors() async throws {
        try await database.transaction { connection throws(ServerPersistenceError) in
            try connection.enqueue("CREATE TABLE marks (mark BIGINT PRIMARY KEY)", [])
            try connection.enqueue("INSERT INTO marks (mark) VALUES (1)", [])
        }
        let unique = try await failure(of: "INSERT INTO marks (mark) VALUES (1)")
        #expect(unique == .constraint(code: try #require(Int("23505", radix: 36))))
        let absent = try await failure(of: "INSERT INTO absent (mark) VALUES (1)")
        #expect(absent == .statement(code: try #require(Int("42P01", radix: 36))))
        #expect(try await failure(of: "SELECT mark FROM marks") == nil)
    }

    @Test("The error of a statement that was enqueued ends the transaction, and nothing remains")
    func enqueued() async throws {
        try await database.transaction { connection throws(ServerPersistenceError) in
            try connection.enqueue("CREATE TABLE marks (mark BIGINT PRIMARY KEY)", [])
        }
        await #expect(throws: ServerPersistenceError.self) {
            try await database.transaction { connection throws(ServerPersistenceError) in
                try connection.enqueue("INSERT INTO marks (mark) VALUES (1)", [])
                try connection.enqueue("INSERT INTO marks (mark) VALUES (1)", [])
            }
        }
        let row = try await database.read { connection throws(ServerPersistenceError) in
            try connection.row("SELECT COUNT(*) FROM marks", [])
        }
        #expect(row == SQLRow([.integer(0)]))
    }

    @Test("A read sees one state and cannot write")
    func snapshot() async throws {
        try await database.transaction { connection throws(ServerPersistenceError) in
            try connection.enqueue("CREATE TABLE marks (mark BIGINT)", [])
        }
        let other = try opened.another()
        let counts = try await database.read { connection throws(ServerPersistenceError) in
            let first = try connection.row("SELECT COUNT(*) FROM marks", [])
            try Self.insertMark(into: other)
            return [first, try connection.row("SELECT COUNT(*) FROM marks", [])]
        }
        #expect(counts[0] == counts[1])
        await #expect(throws: ServerPersistenceError.server(DatabaseServerFailure(.readOnly, state: "25006"))) {
            try await database.read { connection throws(ServerPersistenceError) in
                try connection.execute("INSERT INTO marks (mark) VALUES (1)", [])
            }
        }
    }

    /// Commits a row from another thread while a read is under way.
    private static func insertMark(into database: any SQLDatabase) throws(ServerPersistenceError) {
        let commits = CommitCounter()
        Task {
            _ = try? await database.transaction { connection throws(ServerPersistenceError) in
                try connection.enqueue("INSERT INTO marks (mark) VALUES (1)", [])
            }
            commits.note()
        }
        commits.wait(until: 1)
    }

    @Test("Queries that go together have their results in order")
    func together() async throws {
        let results = try await database.read { connection throws(ServerPersistenceError) in
            try connection.results(of: [
                SQLQuery("SELECT $1::bigint", [.integer(1)]), SQLQuery("SELECT 1 WHERE FALSE", []),
                SQLQuery("SELECT $1::text", [.text("two")]),
            ])
        }
        #expect(results == [[SQLRow([.integer(1)])], [], [SQLRow([.text("two")])]])
    }

    @Test("A statement ends at its time, and so does the wait for another transaction")
    func timeouts() async throws {
        let impatient = try PostgreSQLDatabase(
            settings {
                $0.statementTimeout = .seconds(3)
                $0.lockTimeout = .seconds(1)
            })
        let slow = try await failure(of: "SELECT pg_sleep(60)::text", on: impatient)
        #expect(slow == .server(DatabaseServerFailure(.statementTimeout, state: "57014")))
        let patient = database
        let waiting = try await patient.transaction { connection throws(ServerPersistenceError) in
            try connection.lock(.schema)
            _ = try connection.row("SELECT 1", [])
            return try Self.lockFailure(on: impatient)
        }
        #expect(waiting == .server(DatabaseServerFailure(.lockTimeout, state: "55P03")))
        #expect(try await failure(of: "SELECT 1", on: impatient) == nil)
    }

    /// The error of a transaction that wants the lock of the schema, waited for on the thread of another one.
    private static func lockFailure(on database: PostgreSQLDatabase) throws(ServerPersistenceError)
        -> ServerPersistenceError?
    {
        let commits = CommitCounter()
        let reported = ReportedFailures()
        Task {
            do throws(ServerPersistenceError) {
                try await database.transaction { connection throws(ServerPersistenceError) in
                    try connection.lock(.schema)
                }
            } catch {
                reported.add(error)
            }
            commits.note()
        }
        commits.wait(until: 1)
        return reported.all.first
    }
    @Test("A request whose time is over runs nothing; one whose time ends stops its statement and no other")
    func deadlines() async throws {
        let over = try PostgreSQLDatabase(settings { _ in }, timeLeft: { .zero })
        #expect(try await failure(of: "SELECT 1", on: over) == .server(DatabaseServerFailure(.overloaded)))
        // Enough for the connection, which takes long where much else runs.
        let soon = try PostgreSQLDatabase(settings { _ in }, timeLeft: { .seconds(10) })
        let ended = try await failure(of: "SELECT pg_sleep(60)::text", on: soon)
        #expect(ended == .server(DatabaseServerFailure(.overloaded, state: "57014")))
        #expect(ended?.trouble == nil, "it says nothing about the database")
        #expect(try await failure(of: "SELECT pg_sleep(0.5)::text") == nil)
    }

    @Test("The server notices within half a minute that the machine of a connection is gone, and frees its locks")
    func lostMachine() async throws {
        let cluster = try PostgresCluster(listensOnLoopback: true)
        let database = try PostgreSQLDatabase(
            PostgreSQLSettings(host: "127.0.0.1", port: cluster.port, database: "postgres", user: "signet"))
        let row = try await database.read { connection throws(ServerPersistenceError) in
            try connection.row(
                """
                SELECT current_setting('tcp_keepalives_idle'), current_setting('tcp_keepalives_interval'),
                    current_setting('tcp_keepalives_count'), current_setting('tcp_user_timeout'),
                    current_setting('idle_in_transaction_session_timeout')
                """, [])
        }
        #expect(row == SQLRow([.text("10"), .text("5"), .text("3"), .text("15000"), .text("10s")]))
    }

    @Test("What cannot be connected to is told apart")
    func connecting() async throws {
        #expect(try await refusal { $0.database = "absent" }?.reason == .databaseMissing)
        #expect(try await refusal { $0.user = "absent" }?.reason == .unauthorized)
        #expect(try await refusal { $0.port = 1 }?.reason == .unreachable)
        #expect(try await refusal { _ in } == nil)
    }

    @Test("A password file that is not there is an error; its content is in no error")
    func passwordFile() async throws {
        let database = try PostgreSQLDatabase(settings { $0.passwordFile = "/nonexistent/password" })
        #expect(try await failure(of: "SELECT 1", on: database) == .file(errorNumber: 2))
        let folder = try TemporaryFolder()
        let path = folder.path + "/password"
        try folder.overwrite("password", with: Array("canary-in-the-password\n".utf8))
        let refused = try await refusal {
            $0.passwordFile = path
            $0.user = "absent"
        }
        #expect(refused?.reason == .unauthorized && !"\(String(describing: refused))".contains("canary"))
        #expect(try await refusal { $0.passwordFile = path } == nil)
    }
}
