import LoadControl
import ServerCore
import ServerPersistence
import TestSupport
import Testing
import UAF

/// Suite with a server of its own, whose deadlock detection is as slow as by default.
@Suite("Groups of two processes with one audit chain on PostgreSQL", .serialized, .timeLimit(.minutes(5)))
struct GroupDeadlockTests {
    private let cluster: PostgresCluster
    private let opened: OpenedDatabase
    private let now = Timestamp(seconds: 1_700_000_000)
    private let keys = [AttemptKey(of: [1]), AttemptKey(of: [2]), AttemptKey(of: [3])]

    init() async throws {
        cluster = try PostgresCluster(options: ["deadlock_timeout=1s"])
        opened = try OpenedDatabase(cluster: cluster)
        try await Migrator().migrate(opened.database, at: now)
    }

    private func users(_ storage: Storage) async throws -> [UserID] {
        let random = SeededRandom()
        var ids: [UserID] = []
        for (name, number) in [("jeff", "1"), ("anna", "2")] {
            let user = User(
                id: UserID(from: random), name: try #require(UserName(name)),
                externalID: try #require(UserName(number)), createdAt: now)
            try await storage.users.add(user, mayBeAlike: false, password: nil, event: AuditEvent(.userAdded, at: now))
            ids.append(user.id)
        }
        return ids
    }

    /// Counts an attempt, holds a user, or both, each with a record; the rows differ from number to number.
    private func work(_ number: Int, of users: [UserID], in process: Storage) async throws {
        let (key, user, now) = (keys[number % 3], users[number / 3 % 2], now)
        try await process.transactions.transaction { transaction throws(ServerTransactionFailure) in
            if number % 4 != 0 { _ = try transaction.countAttempt(key, since: now - .seconds(10), at: now) }
            if number % 4 != 1 { _ = try transaction.lockUser(user) }
            try transaction.append(AuditEvent(.userLocked, at: now))
        }
    }

    @Test("Both write the same rows in any order without a deadlock, and the chain of the audit has every record")
    func mixedWork() async throws {
        let processes = [
            SQLStorage(on: opened.database, chainID: "test").ports,
            SQLStorage(on: try opened.another(), chainID: "test").ports,
        ]
        let users = try await users(processes[0])
        let count = 300
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                for process in processes {
                    group.addTask { try await work(number, of: users, in: process) }
                }
            }
            try await group.waitForAll()
        }
        #expect(!cluster.log.contains("deadlock detected"))
        let keys = self.keys
        let counted = try await processes[0].transactions.read { snapshot throws(ServerTransactionFailure) in
            var sum = 0
            for key in keys { sum += try snapshot.attempts(key)?.count ?? 0 }
            return sum
        }
        #expect(counted == (0..<count).count { $0 % 4 != 0 } * 2)
        let records = try await processes[0].audit.records(of: "test", after: 0, limit: 10_000)
        #expect(records.count == count * 2 + users.count)
        #expect(try await AuditService(log: processes[0].audit).verify().breaks.isEmpty)
    }

    @Test("A member that comes upon a row of another process has another turn, and the others of its group do not wait")
    func postponed() async throws {
        let (database, other, stage) = (opened.database, try opened.another(), LoadStage())
        // With fewer requests in flight groups may run beside each other.
        let writes = GroupCommit(database, load: stage.controller(inFlight: GroupPace.sparse + 1))
        try await database.transaction { connection throws(ServerPersistenceError) in
            try connection.enqueue("CREATE TABLE marks (mark BIGINT PRIMARY KEY, note BIGINT NOT NULL)", [])
            try connection.enqueue("INSERT INTO marks (mark, note) VALUES (1, 0), (2, 0), (3, 0)", [])
        }
        let (held, going, freed) = (CommitCounter(), CommitCounter(), CommitCounter())
        async let holder: Void = other.transaction { connection throws(ServerPersistenceError) in
            try connection.execute("UPDATE marks SET note = 1 WHERE mark = 2", [])
            held.note()
            freed.wait(until: 1)
        }
        while held.count < 1 { try await Task.sleep(for: .milliseconds(1)) }
        async let leader: Void = writes.commit { _ throws(ServerPersistenceError) in
            held.note()
            going.wait(until: 1)
        }
        while held.count < 2 { try await Task.sleep(for: .milliseconds(1)) }
        @Sendable func add(to mark: Int64) async throws {
            try await writes.commit { connection throws(ServerPersistenceError) in
                _ = try connection.execute("UPDATE marks SET note = note + 1 WHERE mark = $1", [.integer(mark)])
            }
        }
        async let first: Void = add(to: 1)
        while stage.depth(of: .commits) < 1 { try await Task.sleep(for: .milliseconds(1)) }
        async let second: Void = add(to: 2)
        while stage.depth(of: .commits) < 2 { try await Task.sleep(for: .milliseconds(1)) }
        async let third: Void = add(to: 3)
        while stage.depth(of: .commits) < 3 { try await Task.sleep(for: .milliseconds(1)) }
        going.note()
        _ = try await (leader, first, third)
        #expect(freed.count == 0, "while the other process holds the row of the second")
        freed.note()
        _ = try await (holder, second)
        let rows = try await database.read { connection throws(ServerPersistenceError) in
            try connection.rows("SELECT note FROM marks ORDER BY mark", [])
        }
        #expect(rows == [SQLRow([.integer(1)]), SQLRow([.integer(2)]), SQLRow([.integer(1)])])
    }
}
