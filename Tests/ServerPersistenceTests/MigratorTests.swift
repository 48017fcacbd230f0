import Foundation
import OpenID
import ServerCore
import ServerPersistence
import TestSupport
import Testing
import UAF

@Suite("Migrations, on SQLite and on PostgreSQL")
struct MigratorTests {
    private let now = Timestamp(seconds: 1_700_000_000)
    /// A step of a version after this one.
    private let next = Migration(Migrations.all.count + 1, "next", ["CREATE TABLE next (id BIGINT)"])

    @Test("Every migration has its number and a name of its own")
    func numbering() {
        #expect(Migrations.all.map(\.number) == Array(1...Migrations.all.count))
        #expect(Set(Migrations.all.map(\.name)).count == Migrations.all.count)
    }

    @Test("The statements that are shown for a database are those that it runs", arguments: StoredDatabase.allCases)
    func shownStatements(storage: StoredDatabase) async throws {
        let opened = try storage.empty()
        let dialect = try await opened.database.migration { connection throws(ServerPersistenceError) in
            for statement in Migrations.all.flatMap({ $0.statements(in: connection.dialect) }) {
                try connection.execute(statement, [])
            }
            return connection.dialect
        }
        let shown = Migrations.all.flatMap { $0.statements(in: dialect) }.joined(separator: "\n")
        #expect(shown.contains("COLLATE \"C\"") == (storage == .postgreSQL))
        #expect(shown.contains("WITHOUT ROWID") == (storage == .sqlite))
    }

    @Test("A migration that waits for another one is told so every five seconds")
    func waiting() async throws {
        let opened = try StoredDatabase.postgreSQL.empty()
        let (database, other) = (opened.database, try opened.another())
        let (held, freed) = (CommitCounter(), CommitCounter())
        async let first: Void = database.migration { connection throws(ServerPersistenceError) in
            _ = try connection.row("SELECT 1", [])
            held.note()
            freed.wait(until: 1)
        }
        while held.count < 1 { try await Task.sleep(for: .milliseconds(1)) }
        let failure = ServerPersistenceError.server(DatabaseServerFailure(.lockTimeout, state: "55P03"))
        await #expect(throws: failure) { try await Migrator().migrate(other, at: now) }
        #expect(freed.count == 0)
        freed.note()
        try await first
        #expect(try await Migrator().migrate(other, at: now).count == Migrations.all.count)
    }

    @Test(
        "A command that needs this version fills an empty database, and leaves one of an earlier version alone",
        arguments: StoredDatabase.allCases)
    func requiredVersion(storage: StoredDatabase) async throws {
        let (opened, older) = (try storage.empty(), try storage.empty())
        let (database, old) = (opened.database, older.database)
        #expect(try await Migrator().requireCurrent(database, at: now) == Migrations.all.map(\.number))
        #expect(try await Migrator().requireCurrent(database, at: now).isEmpty)
        try await Migrator().migrate(old, at: now)
        let migrator = Migrator(Migrations.all + [next])
        await #expect(throws: ServerPersistenceError.olderSchema) { try await migrator.requireCurrent(old, at: now) }
        #expect(try await migrator.status(of: old).filter { $0.appliedAt == nil }.map(\.migration.name) == ["next"])
    }

    @Test(
        "A new database has all steps or none: what ends in the middle leaves it empty",
        arguments: StoredDatabase.allCases)
    func allOrNone(storage: StoredDatabase) async throws {
        let opened = try storage.empty()
        let database = opened.database
        let broken = Migration(Migrations.all.count + 1, "broken", ["CREATE TABLE broken ("])
        await #expect(throws: ServerPersistenceError.self) {
            try await Migrator(Migrations.all + [broken]).migrate(database, at: now)
        }
        #expect(try await Migrator().status(of: database).allSatisfy { $0.appliedAt == nil })
        #expect(try await Migrator().requireCurrent(database, at: now) == Migrations.all.map(\.number))
    }

    @Test("Running them again changes nothing", arguments: StoredDatabase.allCases)
    func idempotence(storage: StoredDatabase) async throws {
        let opened = try storage.empty()
        let database = opened.database
        #expect(try await Migrator().migrate(database, at: now) == Migrations.all.map(\.number))
        #expect(try await Migrator().migrate(database, at: now).isEmpty)
    }

    @Test("A database of 0.1.0 gets the tables of passkeys, and keeps its rows", arguments: StoredDatabase.allCases)
    func firstRelease(storage: StoredDatabase) async throws {
        let opened = try storage.empty()
        let database = opened.database
        #expect(try await Migrator([.baseline]).migrate(database, at: now) == [1])
        _ = try await database.transaction { connection throws(ServerPersistenceError) in
            try connection.execute(
                "INSERT INTO users (id, name, external_id, status, created_at) VALUES ($1, 'anna', 'ext', 'active', 0)",
                [.blob([UInt8](repeating: 1, count: 16))])
        }
        #expect(try await Migrator().migrate(database, at: now) == Array(2...Migrations.all.count))
        let storage = SQLStorage(on: database, chainID: "test")
        let anna = try #require(try await storage.ports.users.users(after: nil, limit: 9).first)
        #expect(anna.name.text == "anna")
        let found = try await storage.openID.read { snapshot throws(ServerTransactionFailure) in
            try snapshot.passkeys(of: anna.id).count + snapshot.passkeyCount(of: anna.id)
        }
        #expect(found == 0)
    }

    @Test("Interrupted at any statement, they go on where they stopped", arguments: StoredDatabase.allCases)
    func interruption(storage: StoredDatabase) async throws {
        let opened = try storage.empty()
        let database = FaultyDatabase(opened.database)
        var interruptions = 0
        for statements in 0... {
            database.set { $0.statementsLeft = statements }
            do {
                try await Migrator().migrate(database, at: now)
                break
            } catch {
                #expect(error == FaultyDatabase.fault)
                interruptions += 1
            }
            try #require(interruptions < 1000)
        }
        #expect(interruptions > Migrations.all.count)
        database.set { $0.statementsLeft = nil }
        #expect(try await Migrator().migrate(database, at: now).isEmpty)
        _ = try await SQLStorage(on: database, chainID: "test").ports.users.users(after: nil, limit: 1)
    }

    @Test("A COMMIT that fails undoes its step only", arguments: StoredDatabase.allCases)
    func failingCommit(storage: StoredDatabase) async throws {
        let opened = try storage.empty()
        let database = FaultyDatabase(opened.database)
        try await Migrator().migrate(database, at: now)
        let migrator = Migrator(Migrations.all + [next])
        database.set { $0.failsCommits = true }
        await #expect(throws: FaultyDatabase.fault) { try await migrator.migrate(database, at: now) }
        database.set { $0.failsCommits = false }
        #expect(try await migrator.migrate(database, at: now) == [next.number])
    }

    @Test("Two servers that start together do the work once", arguments: StoredDatabase.allCases)
    func concurrency(storage: StoredDatabase) async throws {
        let opened = try storage.empty()
        let databases = [opened.database, try opened.another()]
        let applied = try await withThrowingTaskGroup(of: [Int].self) { group in
            for database in databases { group.addTask { try await Migrator().migrate(database, at: now) } }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(applied.sorted() == Migrations.all.map(\.number))
    }

    @Test(
        "What a server writes into a table while a migration writes its rows anew is in the new table",
        arguments: StoredDatabase.allCases)
    func runningServer(storage: StoredDatabase) async throws {
        let opened = try storage.empty()
        let database = FaultyDatabase(opened.database)
        let steps = [
            Migration(1, "marks", ["CREATE TABLE marks (mark BIGINT PRIMARY KEY)", "INSERT INTO marks VALUES (1)"]),
            Migration(
                2, "marks-anew",
                [
                    "CREATE TABLE moved_marks (mark BIGINT PRIMARY KEY)",
                    "INSERT INTO moved_marks (mark) SELECT mark FROM marks", "DROP TABLE marks",
                    "ALTER TABLE moved_marks RENAME TO marks",
                ]),
        ]
        try await Migrator([steps[0]]).migrate(database, at: now)
        let (server, copied) = (try opened.another(), CommitCounter())
        database.set { faults in
            faults.flaw = { statement in
                if statement == "DROP TABLE marks" {
                    copied.note()
                    Thread.sleep(forTimeInterval: 0.3)
                }
                return statement
            }
        }
        async let migrated = Migrator(steps).migrate(database, at: now)
        while copied.count == 0 { try await Task.sleep(for: .milliseconds(1)) }
        try await server.transaction { connection throws(ServerPersistenceError) in
            _ = try connection.execute("INSERT INTO marks (mark) VALUES (2)", [])
        }
        #expect(try await migrated == [2])
        let marks = try await database.read { connection throws(ServerPersistenceError) in
            try connection.rows("SELECT mark FROM marks ORDER BY mark", [])
        }
        #expect(marks == [SQLRow([.integer(1)]), SQLRow([.integer(2)])])
    }

    @Test("A database of a newer server is refused", arguments: StoredDatabase.allCases)
    func newerSchema(storage: StoredDatabase) async throws {
        let opened = try storage.empty()
        let database = opened.database
        try await Migrator(Migrations.all + [next]).migrate(database, at: now)
        await #expect(throws: ServerPersistenceError.newerSchema(number: next.number)) {
            try await Migrator().migrate(database, at: now)
        }
    }

    @Test("A database of another program is refused", arguments: StoredDatabase.allCases)
    func foreignSchema(storage: StoredDatabase) async throws {
        let opened = try storage.empty()
        let database = opened.database
        try await Migrator([Migration(1, "other", ["CREATE TABLE other (id BIGINT)"])]).migrate(database, at: now)
        await #expect(throws: ServerPersistenceError.foreignSchema(number: 1)) {
            try await Migrator().migrate(database, at: now)
        }
    }
}
