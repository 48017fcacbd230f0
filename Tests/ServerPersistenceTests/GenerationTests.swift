import Foundation
import OpenID
import ServerCore
import ServerPersistence
import Synchronization
import TestSupport
import Testing

@Suite("SA-1: Generations of what the server gives out, in SQLite and in PostgreSQL")
struct GenerationTests {
    private static let columns = "SELECT 1 FROM pragma_table_info($1) WHERE name = 'generation'"

    /// Tables whose rows go with the row of another, or under the lock of all who consume challenges.
    private static let withoutGeneration: Set<StoredTable> = [
        .authorizationCodes, .grantTokens, .consumedChallenges,
    ]

    @Test("Every table says whether its rows are given out, and those that are have a generation")
    func tables() async throws {
        let opened = try await StoredDatabase.sqlite.migrated(at: Timestamp(seconds: 1_700_000_000))
        let (names, dated) = try await opened.database.read { connection throws(ServerPersistenceError) in
            let rows = try connection.rows(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'", [])
            let names = rows.compactMap { row -> String? in
                if case .text(let name)? = row.values.first { name } else { nil }
            }
            var dated: [String] = []
            for name in names where try connection.row(Self.columns, [.text(name)]) != nil { dated.append(name) }
            return (Set(names), Set(dated))
        }
        #expect(names == Set(StoredTable.allCases.map(\.rawValue)), "classify the new table in StoredTable")
        let given = Set(StoredTable.allCases.filter(\.isGivenOut)).subtracting(Self.withoutGeneration)
        #expect(dated == Set(given.map(\.rawValue)))
    }

    @Test(
        "What was given out before all keys are replaced holds no more; what comes after does",
        arguments: StoredDatabase.allCases)
    func replaced(storage: StoredDatabase) async throws {
        let opened = try await storage.migrated(at: Timestamp(seconds: 1_700_000_000))
        let server = SQLStorage(on: opened.database, chainID: "test")
        let stage = try await ContractStage(.memory)
        try await Self.add(stage, to: server)
        let before = try Given(stage, 1)
        try await server.openID.transaction { transaction throws(ServerTransactionFailure) in
            try before.insert(in: transaction)
        }
        #expect(try await server.openID.read(before.missing).isEmpty)
        try await server.ports.keys.replace(
            with: [], restarting: nil, event: AuditEvent(.keysReplaced, at: stage.now))
        #expect(try await server.openID.read(before.missing) == Given.kinds)
        let after = try Given(stage, 2)
        try await server.openID.transaction { transaction throws(ServerTransactionFailure) in
            try after.insert(in: transaction)
        }
        #expect(try await server.openID.read(after.missing).isEmpty)
    }

    private static func add(_ stage: ContractStage, to server: SQLStorage) async throws {
        for user in [stage.jeff, stage.anna] {
            try await server.ports.users.add(
                user, mayBeAlike: false, password: nil, event: AuditEvent(.userAdded, at: stage.now))
        }
    }

    @Test(
        "What a transaction has written when all keys are replaced holds no more: it is waited for, and without its lock it is of before",
        arguments: [true, false])
    func race(isLocking: Bool) async throws {
        let opened = try await StoredDatabase.postgreSQL.migrated(at: Timestamp(seconds: 1_700_000_000))
        let other = SQLStorage(on: try opened.another(), chainID: "other")
        let stage = try await ContractStage(.memory)
        let given = try Given(stage, 1)
        try await Self.add(stage, to: other)
        let replacement = Replacement { () throws(ServerError) in
            try await other.ports.keys.replace(
                with: [], restarting: nil, event: AuditEvent(.keysReplaced, at: stage.now))
        }
        let writer = SQLStorage(
            on: RacedDatabase(inner: opened.database, isLocking: isLocking, replacement: replacement), chainID: "writer"
        )
        try await writer.openID.transaction { transaction throws(ServerTransactionFailure) in
            try given.insert(in: transaction)
        }
        #expect(replacement.waited == isLocking)
        try await replacement.end()
        #expect(try await other.openID.read(given.missing) == Given.kinds)
    }
}

/// Replacement of all keys that begins when a transaction has written, and before its commit.
private final class Replacement: Sendable {
    private let body: @Sendable () async throws(ServerError) -> Void
    private let running = Mutex<Task<Void, any Error>?>(nil)
    private let hasEnded = Atomic(false)
    private let hasWaited = Atomic(false)

    init(_ body: @escaping @Sendable () async throws(ServerError) -> Void) {
        self.body = body
    }

    /// Whether it waited for the transaction.
    var waited: Bool { hasWaited.load(ordering: .acquiring) }

    /// Begins it, and returns once it has ended or waits for the transaction of the connection.
    func begin(beside connection: any SQLConnection) throws(ServerPersistenceError) {
        // Sessions of other tests wait as well, in databases of their own.
        let waiting = "SELECT 1 FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))"
        running.withLock { running in
            running = Task {
                defer { hasEnded.store(true, ordering: .releasing) }
                try await body()
            }
        }
        while !hasEnded.load(ordering: .acquiring) {
            if try connection.row(waiting, []) != nil { return hasWaited.store(true, ordering: .releasing) }
            Thread.sleep(forTimeInterval: 0.005)
        }
    }

    /// Returns once it has ended.
    func end() async throws {
        try await #require(running.withLock { $0 }, "it was never begun").value
    }
}

/// Database beside whose transactions all keys are replaced.
private struct RacedDatabase: SQLDatabase {
    let inner: any SQLDatabase
    let isLocking: Bool
    let replacement: Replacement

    func read<Value: Sendable>(_ body: @escaping SQLBody<Value>) async throws(ServerPersistenceError) -> Value {
        try await inner.read(body)
    }

    func transaction<Value: Sendable>(
        _ body: @escaping SQLBody<Value>
    ) async throws(ServerPersistenceError) -> Value {
        try await inner.transaction { connection throws(ServerPersistenceError) in
            let value = try body(isLocking ? connection : UnlockedConnection(inner: connection))
            try replacement.begin(beside: connection)
            return value
        }
    }
}

/// Connection of a writer that takes no lock by name.
private struct UnlockedConnection: SQLConnection {
    let inner: any SQLConnection

    var dialect: SQLDialect { inner.dialect }

    func execute(_ sql: String, _ arguments: [SQLValue]) throws(ServerPersistenceError) -> Int {
        try inner.execute(sql, arguments)
    }

    func rows(_ sql: String, _ arguments: [SQLValue]) throws(ServerPersistenceError) -> [SQLRow] {
        try inner.rows(sql, arguments)
    }

    func lock(_ lock: SQLLock) throws(ServerPersistenceError) {}
}

/// One of each kind of row that is given out.
private struct Given: Sendable {
    static let kinds = [
        "session", "page", "provider session", "grant", "token", "request of CIBA", "operation", "operation by token",
        "idempotent request", "recovery", "recovery by cookie", "offer of a passkey",
    ]

    private let session: Session
    private let page: AuthorizationSession
    private let browser: BrowserSession
    private let grant: Grant
    private let token: GrantToken
    private let request: BackchannelRequest
    private let operation: OutOfBandCeremony
    private let idempotent: IdempotentRequest
    private let recovery: Recovery
    private let offer: PasskeyOffer
    private let number: UInt8
    private let now: Timestamp

    init(_ stage: ContractStage, _ number: UInt8) throws {
        self.number = number
        now = stage.now
        session = stage.session(of: stage.jeff, number)
        page = try stage.page()
        browser = stage.browser(of: stage.jeff)
        grant = try stage.grant(of: stage.jeff, in: browser.id)
        token = stage.token(of: grant, .access)
        request = BackchannelRequest(
            id: BackchannelRequestHash(of: [number]), client: try stage.shop(), userID: stage.jeff.id,
            ceremony: CeremonyID(from: stage.random), scopes: [.openID], assurance: [], sealedNotificationToken: nil,
            createdAt: stage.now, expiresAt: stage.now + .seconds(60))
        operation = try stage.operation(of: stage.jeff)
        idempotent = IdempotentRequest(
            key: IdempotencyKeyHash(of: [number]), content: RequestContentHash(of: [1]), createdAt: stage.now)
        recovery = stage.recovery(of: stage.jeff, number)
        offer = PasskeyOffer(
            userID: stage.jeff.id, session: browser.id, challenge: [number], expiresAt: stage.now + .seconds(300))
    }

    func insert(in transaction: any OpenIDTransaction) throws(ServerTransactionFailure) {
        try transaction.insert(session)
        try transaction.insert(page)
        try transaction.insert(browser)
        try transaction.insert(grant)
        try transaction.insert(token)
        try transaction.insert(request)
        try transaction.insert(operation)
        _ = try transaction.insert(idempotent, replacingMadeBefore: now)
        try transaction.set(recovery)
        try transaction.set(offer)
    }

    /// The kinds whose row is not found.
    func missing(_ snapshot: any OpenIDSnapshot) throws(ServerTransactionFailure) -> [String] {
        let found = [
            try snapshot.hasSession(session.cookieHash), try snapshot.authorizationSession(page.id) != nil,
            try snapshot.browserSession(browser.cookie) != nil, try snapshot.grant(grant.id) != nil,
            try snapshot.grantToken(token.hash) != nil, try snapshot.backchannelRequest(request.id) != nil,
            try snapshot.operation(operation.id) != nil, try snapshot.operation(token: operation.tokenHash) != nil,
            try snapshot.idempotentRequest(idempotent.key) != nil,
            try snapshot.recovery(of: recovery.userID) != nil,
            try snapshot.recovery(RecoveryCookieHash(of: [number])) != nil,
            try snapshot.passkeyOffer(of: offer.userID) != nil,
        ]
        return zip(Self.kinds, found).filter { !$0.1 }.map(\.0)
    }
}
