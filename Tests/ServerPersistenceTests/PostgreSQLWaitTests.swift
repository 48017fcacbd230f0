import LoadControl
import ServerPersistence
import ServerPersistencePostgreSQL
import TestSupport
import Testing

/// Suite with a server of its own, which it holds where it is.
@Suite("PostgreSQL that does not answer", .serialized, .timeLimit(.minutes(5)))
struct PostgreSQLWaitTests {
    private let cluster: PostgresCluster
    private let opened: OpenedDatabase
    private let clock = ContinuousClock()

    init() async throws {
        cluster = try PostgresCluster()
        opened = try OpenedDatabase(cluster: cluster)
        try await opened.database.transaction { connection throws(ServerPersistenceError) in
            try connection.enqueue("CREATE TABLE marks (mark BIGINT PRIMARY KEY)", [])
        }
    }

    /// The database for requests that are given `time`.
    private func database(
        _ time: Duration?, _ change: (inout PostgreSQLSettings) -> Void = { _ in }
    ) throws -> PostgreSQLDatabase {
        var settings = try #require(opened.settings)
        change(&settings)
        return try PostgreSQLDatabase(settings, timeLeft: { time })
    }

    private static func readFailure(_ database: any SQLDatabase) async -> ServerPersistenceError? {
        do throws(ServerPersistenceError) {
            _ = try await database.read { connection throws(ServerPersistenceError) in
                try connection.row("SELECT COUNT(*) FROM marks", [])
            }
            return nil
        } catch {
            return error
        }
    }

    private static func insertFailure(_ mark: Int64, _ database: any SQLDatabase) async -> ServerPersistenceError? {
        do throws(ServerPersistenceError) {
            try await database.transaction { connection throws(ServerPersistenceError) in
                _ = try connection.execute("INSERT INTO marks (mark) VALUES ($1)", [.integer(mark)])
            }
            return nil
        } catch {
            return error
        }
    }

    private func count() async throws -> SQLValue? {
        try await opened.database.read { connection throws(ServerPersistenceError) in
            try connection.row("SELECT COUNT(*) FROM marks", [])?.values.first
        }
    }

    /// Runs a body while the server is held; what waits without a limit waits until a rescue two minutes later, and fails the
    /// test.
    ///
    /// No shorter time is required: beside many other tests a task may wait long for its turn.
    private func whileHeld<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        let (cluster, rescues) = (self.cluster, CommitCounter())
        cluster.hold()
        let rescue = Task {
            try await Task.sleep(for: .seconds(120))
            rescues.note()
            cluster.release()
        }
        defer {
            rescue.cancel()
            cluster.release()
        }
        let value = try await body()
        #expect(rescues.count == 0, "what waited was let go on by the rescue alone")
        return value
    }

    @Test("Requests to a server that is held fail while it is held, and work again when it goes on")
    func held() async throws {
        let database = try database(.seconds(2))
        #expect(await Self.readFailure(database) == nil)
        #expect(await Self.insertFailure(1, database) == nil)
        let failures = try await whileHeld {
            await withTaskGroup(
                of: ServerPersistenceError?.self, returning: [ServerPersistenceError?].self
            ) { group in
                for _ in 0..<20 { group.addTask { await Self.readFailure(database) } }
                group.addTask { await Self.insertFailure(2, database) }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
        #expect(failures.allSatisfy { $0 != nil })
        #expect(failures.contains(.server(DatabaseServerFailure(.unanswered))))
        let end = clock.now + .seconds(300)
        while await Self.readFailure(database) != nil, clock.now < end { try await Task.sleep(for: .milliseconds(50)) }
        #expect(await Self.insertFailure(3, database) == nil)
        #expect(try await count() == .integer(2), "what was given up before its commit is not written")
    }

    @Test("A commit that is not answered is unknown, and is not repeated")
    func unknownCommit() async throws {
        let (database, cluster, runs) = (try database(.seconds(5)), self.cluster, CommitCounter())
        let rescue = Task {
            try await Task.sleep(for: .seconds(120))
            cluster.release()
        }
        defer {
            rescue.cancel()
            cluster.release()
        }
        await #expect(throws: ServerPersistenceError.server(DatabaseServerFailure(.commitUnknown))) {
            try await database.transaction { connection throws(ServerPersistenceError) in
                runs.note()
                try connection.execute("INSERT INTO marks (mark) VALUES (1)", [])
                cluster.hold()
            }
        }
        cluster.release()
        #expect(runs.count == 1)
        let written = try await count()
        #expect(written == .integer(0) || written == .integer(1))
        #expect(await Self.insertFailure(2, database) == nil)
    }

    @Test("Without a deadline the time-out of a statement counts; connecting has a time of its own")
    func noDeadline() async throws {
        let database = try database(nil) {
            $0.readerCount = 1
            $0.statementTimeout = .seconds(3)
            $0.connectTimeout = .seconds(5)
        }
        #expect(await Self.readFailure(database) == nil)
        let failures = try await whileHeld {
            [await Self.readFailure(database), await Self.readFailure(database)]
        }
        #expect(
            failures == [
                .server(DatabaseServerFailure(.unanswered)),
                .server(DatabaseServerFailure(.unreachable, detail: "timeout expired")),
            ])
    }

    @Test("Arguments larger than the socket are sent while the server takes them, and given up when it does not")
    func largeArguments() async throws {
        let (database, cluster) = (try database(.seconds(10)), self.cluster)
        let many = [UInt8](repeating: 7, count: 4_000_000)
        let query = "SELECT octet_length($1::bytea)::bigint"
        let length = try await database.read { connection throws(ServerPersistenceError) in
            try connection.row(query, [.blob(many)])
        }
        #expect(length == SQLRow([.integer(Int64(many.count))]))
        defer { cluster.release() }
        await #expect(throws: ServerPersistenceError.server(DatabaseServerFailure(.unanswered))) {
            try await database.read { connection throws(ServerPersistenceError) in
                _ = try connection.row("SELECT 1", [])
                cluster.hold()
                return try connection.row(query, [.blob(many)])
            }
        }
    }

    @Test("A read that waits for a connection leaves at the deadline of its request, and never runs")
    func queued() async throws {
        let (database, stage) = (opened.database, LoadStage())
        let (running, going, runs) = (CommitCounter(), CommitCounter(), CommitCounter())
        @Sendable func occupy() async throws {
            try await database.read { connection throws(ServerPersistenceError) in
                running.note()
                going.wait(until: 1)
            }
        }
        async let first: Void = occupy()
        async let second: Void = occupy()
        while running.count < 2 { try await Task.sleep(for: .milliseconds(1)) }
        let lifetime = stage.lifetime()
        async let third = RequestLifetime.$current.withValue(lifetime) {
            await Self.failure(of: database) { runs.note() }
        }
        try await Task.sleep(for: .milliseconds(100))
        stage.pass(.seconds(5))
        _ = lifetime.expire()
        #expect(await third == .server(DatabaseServerFailure(.overloaded)))
        #expect(going.count == 0, "while both connections are at work")
        going.note()
        _ = try await (first, second)
        #expect(await Self.failure(of: database) {} == nil)
        #expect(runs.count == 0)
    }

    /// The error of a read that runs a body.
    private static func failure(
        of database: any SQLDatabase, _ body: @escaping @Sendable () -> Void
    ) async -> ServerPersistenceError? {
        do throws(ServerPersistenceError) {
            try await database.read { _ throws(ServerPersistenceError) in body() }
            return nil
        } catch {
            return error
        }
    }
}
