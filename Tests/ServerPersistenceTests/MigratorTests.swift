import Foundation
import ServerCore
import ServerPersistence
import TestSupport
import Testing

@Suite("Migrations, on SQLite and on PostgreSQL")
struct MigratorTests {
    private let now = Timestamp(seconds: 1_700_000_000)

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
        #expect(shown.contains("LOCK TABLE") == (storage == .postgreSQL))
    }

    @Test("Who waits for another migration is told so every five seconds")
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
        "Whoever requires this version fills an empty database, and leaves one of an earlier version alone",
        arguments: StoredDatabase.allCases)
    func requiredVersion(storage: StoredDatabase) async throws {
        let (opened, older) = (try storage.empty(), try storage.empty())
        let (database, old) = (opened.database, older.database)
        #expect(try await Migrator().requireCurrent(database, at: now) == Migrations.all.map(\.number))
        #expect(try await Migrator().requireCurrent(database, at: now).isEmpty)
        let steps = Array(Migrations.all.dropLast())
        try await Migrator(steps).migrate(old, at: now)
        await #expect(throws: ServerPersistenceError.olderSchema) {
            try await Migrator().requireCurrent(old, at: now)
        }
        #expect(try await Migrator().status(of: old).filter { $0.appliedAt != nil }.count == steps.count)
    }

    @Test("Running them again changes nothing", arguments: StoredDatabase.allCases)
    func idempotence(storage: StoredDatabase) async throws {
        let opened = try storage.empty()
        let database = opened.database
        #expect(try await Migrator().migrate(database, at: now) == Migrations.all.map(\.number))
        #expect(try await Migrator().migrate(database, at: now).isEmpty)
    }

    @Test(
        "Of a key that was registered before the server could judge chips nothing is proved",
        arguments: StoredDatabase.allCases)
    func protection(storage: StoredDatabase) async throws {
        let opened = try storage.empty()
        let database = opened.database
        try await Migrator(Migrations.all.filter { $0.number < 18 }).migrate(database, at: now)
        try await database.transaction { connection throws(ServerPersistenceError) in
            try connection.execute(
                """
                INSERT INTO users (id, name, external_id, status, created_at) VALUES ($1, 'anna', 'ext', 'active', 0)
                """, [.blob([1])])
            try connection.execute(
                """
                INSERT INTO credentials (
                    registration_id, user_id, aaid, key_id, algorithm, public_key_format, public_key, sign_counter,
                    registration_counter, authenticator_version, status, registered_at)
                VALUES ($1, $1, 'F1D0#0001', $1, 2, 257, $1, 1, 1, 1, 'active', 0)
                """, [.blob([1])])
        }
        try await Migrator().migrate(database, at: now)
        let unproved = try await database.read { connection throws(ServerPersistenceError) in
            try connection.rows("SELECT aaid FROM credentials WHERE protection = 'unproved'", []).count
        }
        #expect(unproved == 1)
    }

    @Test(
        "Names, credentials, their attestations and incidents come through the migrations that write them anew",
        arguments: StoredDatabase.allCases)
    func rewrittenTables(storage: StoredDatabase) async throws {
        let opened = try storage.empty()
        let database = opened.database
        try await Migrator(Migrations.all.filter { $0.number < 21 }).migrate(database, at: now)
        try await database.transaction { connection throws(ServerPersistenceError) in
            for statement in Self.rowsBeforeRewriting { try connection.execute(statement, [.blob([1])]) }
        }
        try await Migrator().migrate(database, at: now)
        let kept = try await database.read { connection throws(ServerPersistenceError) in
            [
                try connection.rows("SELECT alias, user_id FROM user_aliases", []),
                try connection.rows("SELECT sign_counter, success_count, protection FROM credentials", []),
                try connection.rows("SELECT happened_at, occurrences FROM user_incidents ORDER BY happened_at", []),
                try connection.rows("SELECT registration_id, platform, app_key_id FROM attested_credentials", []),
            ]
        }
        #expect(kept[0] == [SQLRow([.text("anna"), .blob([1])])])
        #expect(kept[1] == [SQLRow([.integer(7), .integer(5), .text("chip")])])
        #expect(kept[2] == [SQLRow([.integer(5), .integer(2)]), SQLRow([.integer(6), .integer(1)])])
        #expect(kept[3] == [SQLRow([.blob([1]), .text("apple"), .blob([1])])])
        try await database.transaction { connection throws(ServerPersistenceError) in
            _ = try connection.execute("DELETE FROM users WHERE id = $1", [.blob([1])])
        }
        for table in ["user_aliases", "credentials", "user_incidents", "attested_credentials"] {
            let left = try await database.read { connection throws(ServerPersistenceError) in
                try connection.rows("SELECT 1 FROM \(table)", []).count
            }
            #expect(left == 0, "what belongs to a user goes with them")
        }
    }

    /// A user, `$1`, and what they have, in the form of migration 20.
    private static let rowsBeforeRewriting = [
        "INSERT INTO users (id, name, external_id, status, created_at) VALUES ($1, 'anna', 'ext', 'active', 0)",
        "INSERT INTO user_aliases (alias, user_id) VALUES ('anna', $1)",
        """
        INSERT INTO credentials (
            registration_id, user_id, aaid, key_id, algorithm, public_key_format, public_key, sign_counter,
            registration_counter, authenticator_version, status, registered_at, success_count, protection)
        VALUES ($1, $1, 'F1D0#0001', $1, 2, 257, $1, 7, 1, 1, 'active', 0, 5, 'chip')
        """,
        "INSERT INTO attested_credentials (registration_id, platform, app_key_id) VALUES ($1, 'apple', $1)",
        """
        INSERT INTO user_incidents (user_id, kind, happened_at)
        VALUES ($1, 'push', 5), ($1, 'push', 5), ($1, 'push', 6)
        """,
    ]

    @Test(
        "S-M4: The migration wipes the links and pictures that earlier versions have stored",
        arguments: StoredDatabase.allCases)
    func wiping(storage: StoredDatabase) async throws {
        let opened = try storage.empty()
        let database = opened.database
        try await Migrator(Migrations.all.filter { $0.number < 16 }).migrate(database, at: now)
        try await database.transaction { connection throws(ServerPersistenceError) in
            for (id, dispatcher) in [([UInt8](repeating: 1, count: 16), "link"), ([2], "firebase-cloud-messaging")] {
                try connection.execute(
                    """
                    INSERT INTO operations (id, operation, initiator, token_hash, asked, dispatcher,
                        dispatcher_response, sealed_content, created_at, status, changed_at, expires_at)
                    VALUES ($1, 'Auth', 'administrator', $1, '', $2, 'answer', $1, 0, 'failed', 0, 0)
                    """, [.blob(id), .text(dispatcher)])
            }
        }
        try await Migrator().migrate(database, at: now)
        let left = try await database.read { connection throws(ServerPersistenceError) in
            try connection.rows("SELECT dispatcher FROM operations WHERE dispatcher_response = 'answer'", []).count
        }
        #expect(left == 1, "only the name that the push service gave to its message stays")
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
        _ = try await SQLStorage.ports(on: database, chainID: "test").users.users(after: nil, limit: 1)
    }

    @Test("A COMMIT that fails undoes its step only", arguments: StoredDatabase.allCases)
    func failingCommit(storage: StoredDatabase) async throws {
        let opened = try storage.empty()
        let database = FaultyDatabase(opened.database)
        try await Migrator([Migrations.all[0]]).migrate(database, at: now)
        database.set { $0.failsCommits = true }
        await #expect(throws: FaultyDatabase.fault) { try await Migrator().migrate(database, at: now) }
        database.set { $0.failsCommits = false }
        #expect(try await Migrator().migrate(database, at: now) == Migrations.all.dropFirst().map(\.number))
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
        let newer = Migration(Migrations.all.count + 1, "newer", ["CREATE TABLE newer (id BIGINT)"])
        try await Migrator(Migrations.all + [newer]).migrate(database, at: now)
        await #expect(throws: ServerPersistenceError.newerSchema(number: newer.number)) {
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
