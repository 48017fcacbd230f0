import ServerCore
import ServerPersistence
import TestSupport
import Testing
import UAF

@Suite("The migration of sessions, on SQLite and on PostgreSQL")
struct SessionTreeTests {
    private static let before = Migrator(Migrations.all.filter { $0.number < 30 })
    private let now = Timestamp(seconds: 1_700_000_000)

    private func rows(_ database: any SQLDatabase) async throws -> [SQLRow] {
        try await database.read { connection throws(ServerPersistenceError) in
            try connection.rows(
                """
                SELECT cookie_hash, user_id, method, created_at, expires_at, evidence FROM sessions
                ORDER BY cookie_hash
                """, [])
        }
    }

    @Test(
        "Every row comes through, goes when it expires, and is of no use without its user",
        arguments: StoredDatabase.allCases)
    func rows(storage kind: StoredDatabase) async throws {
        let opened = try kind.empty()
        try await Self.before.migrate(opened.database, at: now)
        let storage = SQLStorage.ports(on: opened.database, chainID: "test")
        let random = SeededRandom(seed: 1)
        let settings = SessionSettings()
        let clock = ManualClock(at: now)
        let sessions = SessionService(storage: storage, settings: settings, clock: clock, random: random)
        let user = User(
            id: UserID(from: random), name: try #require(UserName("jeff")),
            externalID: try #require(UserName("jeff")), status: .active, createdAt: now, notBefore: now)
        try await storage.users.add(user, password: nil, event: AuditEvent(.userAdded, at: now))
        var cookies: [SessionCookie] = []
        for _ in 0..<20 {
            cookies.append(
                try await sessions.begin(
                    for: user, method: .password, authenticatedAt: now,
                    event: AuditEvent(.passwordLoginSucceeded, at: now)))
        }
        let before = try await rows(opened.database)
        #expect(before.count == 20)
        #expect(try await Migrator().migrate(opened.database, at: now).contains(30))
        #expect(try await rows(opened.database) == before)
        #expect(try await sessions.grant(forCookie: cookies[0].value)?.user.id == user.id)
        try await storage.users.remove(user.id, event: AuditEvent(.userRemoved, at: now))
        #expect(try await sessions.grant(forCookie: cookies[0].value) == nil)
        clock.advance(by: settings.lifetime + .milliseconds(1))
        #expect(try await sessions.purge(limit: 500) == 20)
        #expect(try await rows(opened.database).isEmpty)
    }
}
