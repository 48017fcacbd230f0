import ServerCore
import ServerPersistence
import ServerPersistencePostgreSQL
import TestSupport
import Testing

/// Suite with a server of its own, which it stops and starts.
@Suite("PostgreSQL that restarts, ends connections, or has to choose between transactions", .serialized)
struct PostgreSQLOutageTests {
    private let cluster: PostgresCluster
    private let opened: OpenedDatabase
    private var database: any SQLDatabase { opened.database }

    init() async throws {
        cluster = try PostgresCluster()
        opened = try OpenedDatabase(cluster: cluster)
        try await database.transaction { connection throws(ServerPersistenceError) in
            try connection.enqueue("CREATE TABLE marks (mark BIGINT PRIMARY KEY, note BIGINT NOT NULL DEFAULT 0)", [])
            try connection.enqueue("INSERT INTO marks (mark) VALUES (1), (2)", [])
        }
    }

    private func count() async throws -> SQLValue? {
        try await database.read { connection throws(ServerPersistenceError) in
            try connection.row("SELECT COUNT(*) FROM marks", [])?.values.first
        }
    }

    private func insert(_ mark: Int64) async throws(ServerPersistenceError) {
        try await database.transaction { connection throws(ServerPersistenceError) in
            try connection.enqueue("INSERT INTO marks (mark) VALUES ($1)", [.integer(mark)])
        }
    }

    @Test("After a restart the next read and the next transaction work, and what was committed is there")
    func restart() async throws {
        try await insert(3)
        #expect(try await count() == .integer(3))
        try cluster.restart()
        try await insert(4)
        #expect(try await count() == .integer(4))
    }

    @Test("While the server is away every attempt fails soon; afterwards the connection comes back by itself")
    func absence() async throws {
        try cluster.stop()
        let clock = ContinuousClock()
        let duration = await clock.measure {
            for _ in 0..<20 {
                await #expect(throws: ServerPersistenceError.self) { try await insert(5) }
            }
        }
        #expect(duration < .seconds(60))
        try cluster.start()
        let deadline = clock.now + .seconds(300)
        while (try? await count()) == nil, clock.now < deadline { try await Task.sleep(for: .milliseconds(50)) }
        #expect(try await count() == .integer(2))
    }

    @Test("Connections that the server has ended are replaced, and the transaction begins again")
    func killedConnections() async throws {
        for mark in 10..<15 {
            try await insert(Int64(mark))
            _ = try await count()
            try cluster.run(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'signet-server'")
        }
        #expect(try await count() == .integer(7))
    }

    @Test("A transaction whose connection is ended in its middle runs again from the start, and is written once")
    func killedTransaction() async throws {
        let runs = CommitCounter()
        let cluster = self.cluster
        try await database.transaction { connection throws(ServerPersistenceError) in
            runs.note()
            try connection.execute("INSERT INTO marks (mark) VALUES (20)", [])
            if runs.count == 1 {
                try? cluster.run(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'signet-server'")
            }
            try connection.execute("INSERT INTO marks (mark) VALUES (21)", [])
        }
        #expect(runs.count == 2)
        #expect(try await count() == .integer(4))
    }

    @Test("Of two transactions that wait for each other one runs again, and both are written")
    func deadlock() async throws {
        let (first, second) = (database, try opened.another())
        let meeting = CommitCounter()
        async let one: Void = add(to: [1, 2], on: first, meeting)
        async let two: Void = add(to: [2, 1], on: second, meeting)
        _ = try await (one, two)
        #expect(meeting.count > 2, "one of them has begun again")
        let rows = try await database.read { connection throws(ServerPersistenceError) in
            try connection.rows("SELECT note FROM marks ORDER BY mark", [])
        }
        #expect(rows == [SQLRow([.integer(2)]), SQLRow([.integer(2)])])
    }

    /// Counts in two rows, one after the other; between them both transactions hold their first.
    private func add(to marks: [Int64], on database: any SQLDatabase, _ meeting: CommitCounter) async throws {
        try await database.transaction { connection throws(ServerPersistenceError) in
            for mark in marks {
                try connection.execute("UPDATE marks SET note = note + 1 WHERE mark = $1", [.integer(mark)])
                meeting.note()
                meeting.wait(until: 2)
            }
        }
    }

    @Test("Migrations that lose their connection go on where they stopped")
    func migrations() async throws {
        let now = Timestamp(seconds: 1_700_000_000)
        let fresh = try OpenedDatabase(cluster: cluster)
        async let migrated = Migrator().migrate(fresh.database, at: now)
        for _ in 0..<5 {
            try cluster.run(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'signet-server'")
        }
        _ = try? await migrated
        try await Migrator().migrate(fresh.database, at: now)
        let steps = try await Migrator().status(of: fresh.database)
        #expect(steps.allSatisfy { $0.appliedAt == now })
    }

    @Test("A listener hears what is committed, and hears again after its connection was ended")
    func listening() async throws {
        let settings = try #require(opened.settings)
        let listener = try PostgreSQLListener(settings, channels: ["status"])
        var events = listener.events.makeAsyncIterator()
        for round in 0..<3 {
            let connected = await events.next()
            #expect(connected == .connected)
            try await database.transaction { connection throws(ServerPersistenceError) in
                try connection.enqueue(PostgreSQLListener.notification, [.text("status"), .text("round \(round)")])
                try connection.enqueue(PostgreSQLListener.notification, [.text("other"), .text("not for us")])
            }
            let heard = await events.next()
            #expect(heard == .notified(channel: "status", payload: "round \(round)"))
            if round < 2 {
                try cluster.run(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'signet-server'")
            }
        }
        listener.stop()
        let end = await events.next()
        #expect(end == nil)
        #expect(throws: ServerPersistenceError.self) {
            try PostgreSQLListener(settings, channels: [#"x"; DROP TABLE marks"#])
        }
    }
}
