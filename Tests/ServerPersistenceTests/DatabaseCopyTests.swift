import ServerCore
import ServerPersistence
import TestSupport
import Testing
import UAF

@Suite("Copies between databases")
struct DatabaseCopyTests {
    /// Source and target of a copy.
    struct Way: Sendable, CustomTestStringConvertible {
        let source: StoredDatabase
        let target: StoredDatabase

        var testDescription: String { "\(source) to \(target)" }

        static let all = StoredDatabase.allCases.flatMap { source in
            StoredDatabase.allCases.map { Way(source: source, target: $0) }
        }
    }

    private let now = Timestamp(seconds: 1_700_000_000)

    /// A database with users, and one row at least in every other table.
    private func filled(_ kind: StoredDatabase, users count: Int = 20) async throws -> OpenedDatabase {
        let opened = try await kind.migrated(at: now)
        let storage = SQLStorage(on: opened.database, chainID: "test").ports
        let random = SeededRandom()
        for number in 0..<count {
            let user = User(
                id: UserID(from: random), name: try #require(UserName("user\(number)")),
                externalID: try #require(UserName("id\(number)")), createdAt: now)
            try await storage.users.add(user, mayBeAlike: false, password: nil, event: AuditEvent(.userAdded, at: now))
        }
        try await opened.database.transaction { connection throws(ServerPersistenceError) in
            for statement in Self.rows { try connection.execute(statement, [.blob([0, 255, 1])]) }
        }
        return opened
    }

    @Test("A target with rows is refused as it is: nothing of it is changed", arguments: Way.all)
    func filledTarget(way: Way) async throws {
        let (source, target) = (try await filled(way.source, users: 3), try way.target.empty())
        try await Migrator().migrate(target.database, at: now)
        try await target.database.transaction { connection throws(ServerPersistenceError) in
            try connection.enqueue(
                "INSERT INTO users (id, name, external_id, status, created_at) VALUES ($1, 'anna', 'ext', 'active', 0)",
                [.blob([1])])
        }
        await #expect(throws: DatabaseCopyError.targetNotEmpty(table: "users")) {
            try await DatabaseCopy(from: source.database, to: target.database).run(at: now)
        }
        let users = try await target.database.read { connection throws(ServerPersistenceError) in
            try connection.rows("SELECT name FROM users", [])
        }
        #expect(users == [SQLRow([.text("anna")])])
    }

    /// One row for each table that users have none in; `$1` is a key.
    private static let rows = [
        "INSERT INTO user_passwords (user_id, salt, rounds, hash) SELECT id, $1, 1, id FROM users",
        """
        INSERT INTO dispatch_targets (id, external_id, user_id, name, signature_key, signature_thumbprint, created_at)
        SELECT $1, $1, id, 'Näme', '{}', id, 1 FROM users WHERE name = 'user1'
        """,
        """
        INSERT INTO credentials (
            registration_id, user_id, aaid, key_id, algorithm, public_key_format, public_key, sign_counter,
            registration_counter, authenticator_version, status, registered_at, dispatch_target_id)
        SELECT $1, id, 'F1D0#0001', id, 2, 257, id, 4294967295, 1, 1, 'active', 0, $1 FROM users WHERE name = 'user1'
        """,
        """
        INSERT INTO app_attest_keys (id, public_key, application, environment, receipt, counter, attested_at, used_at)
        VALUES ($1, $1, 'T.é', 'production', $1, 4294967295, 1, 2)
        """,
        """
        INSERT INTO user_attributes (user_id, content, changed_at)
        SELECT id, '{"name":"Änna"}', 1 FROM users WHERE name = 'user1' AND CAST($1 AS BYTEA) IS NOT NULL
        """,
        "INSERT INTO attested_credentials (registration_id, platform, app_key_id) VALUES ($1, 'apple', $1)",
        "INSERT INTO login_attempts (id, attempts, began_at) VALUES ($1, 3, 1)",
        "INSERT INTO consumed_challenges (challenge_hash, expires_at, consumed_at) VALUES ($1, 1, 2)",
        "INSERT INTO policy_revisions (hash, content, first_used_at) VALUES ($1, $1, 1)",
        "INSERT INTO server_keys (id, purpose, created_at, active_from, wrapped) VALUES ($1, 'p', 1, 2, $1)",
        """
        INSERT INTO sessions (cookie_hash, user_id, method, created_at, expires_at)
        SELECT $1, id, 'm', 1, 2 FROM users WHERE name = 'user2'
        """,
        """
        INSERT INTO operations (id, operation, initiator, token_hash, asked, sealed_content, created_at, status,
            changed_at, expires_at)
        VALUES ($1, 'Auth', 'administrator', $1, '', $1, 0, 'failed', 0, 0)
        """,
        "INSERT INTO device_requests (target_id, request_id, remembered_until) VALUES ($1, 'r', 1)",
        """
        INSERT INTO user_incidents (user_id, kind, happened_at, occurrences)
        SELECT id, 'push', 5, 2 FROM users WHERE id <> $1
        """,
        "INSERT INTO server_clock (id, server_time, start_id, since_start) SELECT 1, 2, 's', 3 WHERE CAST($1 AS BYTEA) IS NOT NULL",
        """
        INSERT INTO process_clocks (instance, wall_time, start_id, since_start)
        SELECT 'main', 2, 's', 3 WHERE CAST($1 AS BYTEA) IS NOT NULL
        """,
        "INSERT INTO audit_days (day, statement) SELECT '2026-01-31', 's' WHERE CAST($1 AS BYTEA) IS NOT NULL",
        "INSERT INTO audit_heads (id, statement) SELECT 1, 's' WHERE CAST($1 AS BYTEA) IS NOT NULL",
        "INSERT INTO audit_starts (chain_id, sequence, hash) VALUES ('old', 1, $1)",
        "INSERT INTO decoy_profiles (models, slots, refreshed_at) SELECT 'F1D0#0001', 1, 1 WHERE CAST($1 AS BYTEA) IS NOT NULL",
        "INSERT INTO clients (id, content, created_at) SELECT 'shop', '{}', 1 WHERE CAST($1 AS BYTEA) IS NOT NULL",
        "INSERT INTO client_assertions (id, expires_at) VALUES ($1, 1)",
        "INSERT INTO client_states (id, is_disabled, not_before) SELECT 'shop', 0, 1 WHERE CAST($1 AS BYTEA) IS NOT NULL",
        "INSERT INTO server_generation (id, number) SELECT 1, 2 WHERE CAST($1 AS BYTEA) IS NOT NULL",
        "INSERT INTO removed_aliases (hash, removed_at) VALUES ($1, 1)",
        "INSERT INTO audit_subjects (user_id, key, erased_at) VALUES ($1, $1, 1)",
        "INSERT INTO pushed_requests (id, client_id, parameters, created_at, expires_at) VALUES ($1, 'shop', '{}', 1, 1)",
        """
        INSERT INTO authorization_sessions
            (id, browser, client_id, parameters, stage, round, created_at, expires_at, network)
        VALUES ($1, $1, 'shop', '{}', 'open', 0, 1, 2, '192.0.2.1')
        """,
        """
        INSERT INTO provider_sessions (id, cookie, user_id, ceremony_id, assurance, authenticated_at, evidence, expires_at)
        SELECT $1, $1, id, $1, 'key', 1, $1, 2 FROM users WHERE name = 'user2'
        """,
        """
        INSERT INTO client_grants (
            id, client_id, user_id, scopes, ceremony_id, assurance, authenticated_at, evidence, created_at, expires_at)
        SELECT $1, 'shop', id, 'openid', $1, 'key', 1, $1, 1, 2 FROM users WHERE name = 'user2'
        """,
        """
        INSERT INTO authorization_codes (id, grant_id, client_id, redirect, code_challenge, expires_at)
        VALUES ($1, $1, 'shop', 'https://shop.example.com/', $1, 2)
        """,
        "INSERT INTO grant_tokens (id, grant_id, kind, created_at, expires_at) VALUES ($1, $1, 'refresh', 1, 2)",
        """
        INSERT INTO backchannel_requests (
            id, client_id, user_id, ceremony_id, scopes, assurance, stage, poll_interval, created_at, expires_at)
        SELECT $1, 'shop', id, $1, 'openid', 'key', 'pending', 5, 1, 2 FROM users WHERE name = 'user2'
        """,
        """
        INSERT INTO receipts (ceremony_id, user_id, initiator, claims, chain_id, sequence, record_hash, confirmed_at)
        VALUES ($1, $1, 'administrator', $1, 'test', 1, $1, 1)
        """,
        "INSERT INTO receipt_keys (id, jwk, created_at) VALUES ('k', $1, 1)",
        "INSERT INTO idempotent_requests (id, content, created_at) VALUES ($1, $1, 1)",
        """
        INSERT INTO outgoing_messages (id, kind, destination, content, created_at, state, attempts, next_attempt_at)
        VALUES ($1, 'webhook', 'shop', $1, 1, 'waiting', 0, 1)
        """,
        """
        INSERT INTO audit_places (subscriber, chain_id, sequence)
        SELECT 'webhooks', 'test', 1 WHERE CAST($1 AS BYTEA) IS NOT NULL
        """,
        """
        INSERT INTO user_history (chain_id, sequence, user_id, kind, happened_at)
        SELECT 'test', 1, id, 'signedIn', 5 FROM users WHERE name = 'user2' AND id <> $1
        """,
        """
        INSERT INTO recovery_codes (user_id, hash, created_at)
        SELECT id, id, 1 FROM users WHERE name = 'user1' AND CAST($1 AS BYTEA) IS NOT NULL
        """,
        """
        INSERT INTO recoveries (user_id, cookie, begun_at, opens_at, expires_at, holds_since)
        SELECT id, $1, 1, 2, 3, 1 FROM users WHERE name = 'user1'
        """,
        """
        INSERT INTO passkeys (
            registration_id, credential_id, user_id, name, public_key, transports, model, attestation, is_backup_eligible,
            is_backed_up, was_user_verified, sign_counter, registered_at, used_at)
        SELECT $1, $1, id, 'Schlüssel', $1, '[]', $1, 'none', 1, 0, 1, 4294967295, 1, 2 FROM users WHERE name = 'user1'
        """,
        """
        INSERT INTO passkey_offers (user_id, session_id, challenge, expires_at)
        SELECT id, $1, $1, 1 FROM users WHERE name = 'user1'
        """,
        """
        INSERT INTO removed_methods (user_id, assurance, removed_at)
        SELECT id, 'key', 1 FROM users WHERE name = 'user1' AND CAST($1 AS BYTEA) IS NOT NULL
        """,
        """
        INSERT INTO imports (id, entries, counts, begun_at) SELECT 'f', 7, '{"users":7}', 1
        WHERE CAST($1 AS BYTEA) IS NOT NULL
        """,
        "UPDATE consumption_watermark SET purged_before = 7 WHERE CAST($1 AS BYTEA) IS NOT NULL",
    ]

    private func watermark(_ database: any SQLDatabase) async throws -> SQLRow? {
        try await database.read { connection throws(ServerPersistenceError) in
            try connection.row("SELECT id, purged_before FROM consumption_watermark", [])
        }
    }

    @Test("Every table is copied, octet by octet, and what verifies in one verifies in the other", arguments: Way.all)
    func whole(way: Way) async throws {
        let (source, target) = (try await filled(way.source), try way.target.empty())
        let copied = try await DatabaseCopy(from: source.database, to: target.database).run(at: now)
        #expect(copied.allSatisfy { $0.rows > 0 }, "\(copied)")
        #expect(copied.first { $0.table == "user_incidents" }?.rows == 20)
        #expect(try await watermark(target.database) == SQLRow([.integer(1), .integer(7)]))
        let storage = SQLStorage(on: target.database, chainID: "test").ports
        #expect(try await storage.users.users(after: nil, limit: 100).count == 20)
        let report = try await AuditService(log: storage.audit).verify()
        #expect(report.breaks.isEmpty && report.intactRecords == ["test": 20])
        try await DatabaseCopy.requireNone(into: target.database)
    }

    @Test(
        "A copy that is interrupted at any statement goes on, and until then no server starts on its target",
        arguments: Way.all.filter { $0.source != $0.target })
    func interruption(way: Way) async throws {
        let (source, target) = (try await filled(way.source), try way.target.empty())
        try await Migrator().migrate(target.database, at: now)
        let faulty = FaultyDatabase(target.database)
        var interruptions = 0
        for statements in stride(from: 1, through: 10_000, by: 7) {
            faulty.set { $0.statementsLeft = statements }
            do {
                _ = try await DatabaseCopy(from: source.database, to: faulty).run(at: now)
                break
            } catch DatabaseCopyError.target(let error) {
                #expect(error == FaultyDatabase.fault)
                interruptions += 1
            }
        }
        #expect(interruptions > 5)
        try await DatabaseCopy.requireNone(into: target.database)
        #expect(
            try await SQLStorage(on: target.database, chainID: "t").ports.users.users(after: nil, limit: 99).count == 20
        )
    }

    @Test("The target of a copy that has not ended is refused", arguments: StoredDatabase.allCases)
    func unfinished(storage: StoredDatabase) async throws {
        let (source, target) = (try await filled(.sqlite), try storage.empty())
        let faulty = FaultyDatabase(source.database)
        faulty.set { $0.failsReads = true }
        await #expect(throws: DatabaseCopyError.source(FaultyDatabase.fault)) {
            try await DatabaseCopy(from: faulty, to: target.database).run(at: now)
        }
        try await DatabaseCopy.requireNone(into: target.database)
        try await Migrator().migrate(target.database, at: now)
        try await target.database.transaction { connection throws(ServerPersistenceError) in
            try connection.execute("DELETE FROM consumption_watermark", [])
            try connection.execute("CREATE TABLE unfinished_copy (begun_at BIGINT NOT NULL)", [])
        }
        await #expect(throws: ServerPersistenceError.unfinishedCopy) {
            try await DatabaseCopy.requireNone(into: target.database)
        }
        _ = try await DatabaseCopy(from: source.database, to: target.database).run(at: now)
        try await DatabaseCopy.requireNone(into: target.database)
    }

    @Test("A target with rows of its own, and a source of an older form, are refused and stay as they are")
    func refusals() async throws {
        let (source, target) = (try await filled(.sqlite), try await filled(.postgreSQL, users: 3))
        await #expect(throws: DatabaseCopyError.self) {
            try await DatabaseCopy(from: source.database, to: target.database).run(at: now)
        }
        #expect(
            try await SQLStorage(on: target.database, chainID: "t").ports.users.users(after: nil, limit: 99).count == 3)
        let old = try StoredDatabase.sqlite.empty()
        try await Migrator([]).migrate(old.database, at: now)
        await #expect(throws: DatabaseCopyError.source(.olderSchema)) {
            try await DatabaseCopy(from: old.database, to: StoredDatabase.postgreSQL.empty().database).run(at: now)
        }
    }

    @Test("A database server on which a server process has reported lately is not copied; once it is gone, it is")
    func runningServer() async throws {
        let (source, target) = (try await filled(.postgreSQL), try StoredDatabase.sqlite.empty())
        let clock = SQLStorage(on: source.database, chainID: "test").ports.clock
        let (start, now) = (Duration.seconds(5), self.now)
        let process = ProcessClock(instance: "main/1", wall: now - .seconds(10), startID: "s", sinceStart: start)
        _ = try await clock.advance(process) { _, _ in
            ServerTimeRecord(time: now, startID: "s", sinceStart: start)
        }
        await #expect(throws: DatabaseCopyError.sourceInUse(process: "main/1")) {
            try await DatabaseCopy(from: source.database, to: target.database).run(at: now)
        }
        try await clock.forget("main/1")
        _ = try await DatabaseCopy(from: source.database, to: target.database).run(at: now)
        try await DatabaseCopy.requireNone(into: target.database)
    }

    @Test("A change behind the copy is noticed", arguments: StoredDatabase.allCases)
    func change(storage: StoredDatabase) async throws {
        let source = try await filled(storage)
        let second = try StoredDatabase.sqlite.empty()
        try await Migrator().migrate(second.database, at: now)
        let interfering = InterferingDatabase(second.database) { connection throws(ServerPersistenceError) in
            try connection.execute("UPDATE users SET status = 'locked' WHERE name = 'user3'", [])
        }
        await #expect(throws: DatabaseCopyError.different(table: "users")) {
            try await DatabaseCopy(from: source.database, to: interfering).run(at: now)
        }
    }
}

/// Database in which a row changes after each transaction.
private struct InterferingDatabase: SQLDatabase {
    private let inner: any SQLDatabase
    private let change: SQLBody<Int>

    init(_ inner: any SQLDatabase, change: @escaping SQLBody<Int>) {
        self.inner = inner
        self.change = change
    }

    func read<Value: Sendable>(_ body: @escaping SQLBody<Value>) async throws(ServerPersistenceError) -> Value {
        try await inner.read(body)
    }

    func transaction<Value: Sendable>(_ body: @escaping SQLBody<Value>) async throws(ServerPersistenceError) -> Value {
        let value = try await inner.transaction(body)
        _ = try await inner.transaction(change)
        return value
    }
}
