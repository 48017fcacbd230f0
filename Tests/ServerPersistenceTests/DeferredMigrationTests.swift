import Foundation
import ServerCore
import ServerPersistence
import TestSupport
import Testing

@Suite("Steps that no start waits for, on SQLite and on PostgreSQL")
struct DeferredMigrationTests {
    private static let first = Migration(
        1, "marks", ["CREATE TABLE marks (mark BIGINT PRIMARY KEY, label TEXT NOT NULL)"])
    private static let second = Migration(2, "marks-by-label", deferredIndex: "marks_by_label", on: "marks (label)")
    private static let third = Migration(3, "further-marks", ["CREATE TABLE further_marks (mark BIGINT)"])

    private let now = Timestamp(seconds: 1_700_000_000)
    private let earlier = Migrator([first])
    private let migrator = Migrator([first, second, third])

    /// Runs the deferred steps, as a server does while it serves.
    private func serve(_ database: any SQLDatabase) async throws(ServerPersistenceError) -> [Int] {
        try await migrator.migrateDeferred(database) { now }
    }

    /// Whether the index is whole; nil when there is none.
    private func isWhole(_ database: any SQLDatabase) async throws -> Bool? {
        let rows = try await database.read { connection throws(ServerPersistenceError) in
            let query =
                switch connection.dialect {
                case .sqlite: "SELECT 1 FROM sqlite_master WHERE type = 'index' AND name = $1"
                case .postgreSQL:
                    "SELECT indisvalid::int::bigint FROM pg_index WHERE indexrelid = to_regclass($1)"
                }
            return try connection.rows(query, [.text("marks_by_label")])
        }
        return rows.first.map { $0.values == [.integer(1)] }
    }

    @Test("A start leaves it to the servers, which run it once and record it", arguments: StoredDatabase.allCases)
    func left(storage: StoredDatabase) async throws {
        let opened = try storage.empty()
        let database = opened.database
        try await earlier.migrate(database, at: now)
        #expect(try await migrator.migrate(database, at: now) == [3])
        #expect(try await migrator.requireCurrent(database, at: now).isEmpty)
        let steps = try await migrator.status(of: database)
        #expect(steps.map(\.isLeftToServers) == [false, true, false])
        #expect(steps.map(\.isMissing) == [false, false, false])
        #expect(try await isWhole(database) == nil)
        #expect(try await serve(database) == [2])
        #expect(try await isWhole(database) == true)
        #expect(try await migrator.status(of: database).allSatisfy { $0.appliedAt == now })
        #expect(try await serve(database).isEmpty)
    }

    @Test("A new database has it from the start", arguments: StoredDatabase.allCases)
    func fresh(storage: StoredDatabase) async throws {
        let opened = try storage.empty()
        let database = opened.database
        #expect(try await migrator.requireCurrent(database, at: now) == [1, 2, 3])
        #expect(try await isWhole(database) == true)
        #expect(try await serve(database).isEmpty)
    }

    @Test("What is shown for a database is what it runs", arguments: SQLDialect.allCases)
    func shown(dialect: SQLDialect) {
        let words = dialect == .postgreSQL ? "CREATE INDEX CONCURRENTLY" : "CREATE INDEX IF NOT EXISTS"
        #expect(Self.second.statements(in: dialect) == [words + " marks_by_label ON marks (label)"])
    }

    @Test("Interrupted at any statement, it goes on where it stopped", arguments: StoredDatabase.allCases)
    func interruption(storage: StoredDatabase) async throws {
        let opened = try storage.empty()
        let database = FaultyDatabase(opened.database)
        try await earlier.migrate(database, at: now)
        try await migrator.migrate(database, at: now)
        var interruptions = 0
        for statements in 0... {
            database.set { $0.statementsLeft = statements }
            do {
                let steps = try await serve(database)
                #expect(steps == [2])
                break
            } catch {
                #expect(error == FaultyDatabase.fault)
                interruptions += 1
            }
            try #require(interruptions < 100)
        }
        #expect(interruptions > 2)
        database.set { $0.statementsLeft = nil }
        #expect(try await isWhole(database) == true)
    }

    @Test("Two servers at once run it once", arguments: StoredDatabase.allCases)
    func concurrency(storage: StoredDatabase) async throws {
        let opened = try storage.empty()
        try await earlier.migrate(opened.database, at: now)
        try await migrator.migrate(opened.database, at: now)
        let databases = [opened.database, try opened.another(), try opened.another()]
        let applied = try await withThrowingTaskGroup(of: [Int].self) { group in
            for database in databases { group.addTask { try await serve(database) } }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(applied == [2])
        #expect(try await isWhole(opened.database) == true)
    }

    // MARK: - PostgreSQL

    /// A database with a transaction that writes, for which `CREATE INDEX CONCURRENTLY` waits.
    private func building(
        _ body: (
            _ database: any SQLDatabase, _ other: any SQLDatabase, _ building: Task<[Int], any Error>,
            _ release: () -> Void
        ) async throws -> Void
    ) async throws {
        let opened = try StoredDatabase.postgreSQL.empty()
        let (database, writer, other) = (opened.database, try opened.another(), try opened.another())
        try await earlier.migrate(database, at: now)
        try await migrator.migrate(database, at: now)
        let (written, freed) = (CommitCounter(), CommitCounter())
        async let held: Void = writer.transaction { connection throws(ServerPersistenceError) in
            try connection.execute("INSERT INTO marks (mark, label) VALUES (1, 'one')", [])
            written.note()
            freed.wait(until: 1)
        }
        defer { freed.note() }
        while written.count < 1 { try await Task.sleep(for: .milliseconds(1)) }
        let building = Task { try await serve(database) }
        while try await !isBuilding(other) { try await Task.sleep(for: .milliseconds(5)) }
        try await body(database, other, building) { freed.note() }
        try await held
    }

    private static let builders = """
        FROM pg_stat_activity WHERE query LIKE 'CREATE INDEX CONCURRENTLY%' AND state = 'active' \
        AND wait_event_type = 'Lock' AND datname = current_database()
        """

    private func isBuilding(_ database: any SQLDatabase) async throws -> Bool {
        try await database.read { connection throws(ServerPersistenceError) in
            try connection.row("SELECT 1 \(Self.builders)", []) != nil
        }
    }

    @Test("While PostgreSQL builds, rows are written, and another server does not wait for its turn")
    func writing() async throws {
        try await building { database, other, building, release in
            try await other.transaction { connection throws(ServerPersistenceError) in
                _ = try connection.execute("INSERT INTO marks (mark, label) VALUES (2, 'two')", [])
            }
            #expect(try await serve(other).isEmpty)
            release()
            #expect(try await building.value == [2])
            #expect(try await isWhole(database) == true)
        }
    }

    @Test("What is left of an index whose building was killed is dropped, and it is built again")
    func killed() async throws {
        try await building { database, other, building, release in
            try await other.transaction { connection throws(ServerPersistenceError) in
                _ = try connection.rows("SELECT pg_terminate_backend(pid)::int::bigint \(Self.builders)", [])
            }
            await #expect(throws: ServerPersistenceError.self) { try await building.value }
            #expect(try await isWhole(database) == false)
            release()
            #expect(try await serve(database) == [2])
            #expect(try await isWhole(database) == true)
        }
    }

    @Test("An index that PostgreSQL has finished without its server is recorded, and not built again")
    func finished() async throws {
        let opened = try StoredDatabase.postgreSQL.empty()
        let database = FaultyDatabase(opened.database)
        try await earlier.migrate(database, at: now)
        try await database.transaction { connection throws(ServerPersistenceError) in
            _ = try connection.execute("CREATE INDEX marks_by_label ON marks (label)", [])
        }
        database.set { $0.flaw = { $0.hasPrefix("CREATE INDEX") ? "SELECT no_index_is_built_again" : $0 } }
        #expect(try await serve(database) == [2])
    }
}
