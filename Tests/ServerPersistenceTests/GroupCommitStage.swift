import ServerPersistence
import Synchronization
import TestSupport
import Testing

/// Group commit on one database; each method is one test.
struct GroupCommitStage {
    private let opened: OpenedDatabase
    private let database: FaultyDatabase
    private let writes: GroupCommit

    init(_ kind: StoredDatabase) async throws {
        opened = try kind.empty()
        database = FaultyDatabase(opened.database)
        writes = GroupCommit(database)
        try await database.transaction { connection throws(ServerPersistenceError) in
            _ = try connection.execute("CREATE TABLE marks (mark BIGINT PRIMARY KEY)", [])
        }
    }

    private func mark(_ number: Int64) async throws(ServerPersistenceError) {
        try await writes.commit { connection throws(ServerPersistenceError) in
            _ = try connection.execute("INSERT INTO marks (mark) VALUES ($1)", [.integer(number)])
        }
    }

    private func marks() async throws -> [Int64] {
        try await database.read { connection throws(ServerPersistenceError) in
            try connection.rows("SELECT mark FROM marks ORDER BY mark", []).compactMap {
                if case .integer(let mark) = $0.values[0] { mark } else { nil }
            }
        }
    }

    /// Many concurrent members are all written, in fewer transactions than members.
    func sharing() async throws {
        let before = database.transactionCount
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<300 { group.addTask { try await mark(Int64(number)) } }
            try await group.waitForAll()
        }
        #expect(try await marks() == (0..<300).map(Int64.init))
        #expect(database.transactionCount - before < 300)
    }

    /// A member that fails leaves no trace and does not disturb the others.
    func failingMember() async throws {
        let failures = await withTaskGroup(of: Bool.self, returning: Int.self) { group in
            for number in 0..<60 { group.addTask { await markFails(number, refusing: number.isMultiple(of: 3)) } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(failures == 20)
        #expect(try await marks() == (0..<60).filter { !$0.isMultiple(of: 3) }.map(Int64.init))
    }

    /// Writes a mark and then refuses its own member when told to; tells whether the commit failed with that refusal.
    private func markFails(_ number: Int, refusing: Bool) async -> Bool {
        let refusal = ServerPersistenceError.corruptRow(table: "marks", column: "mark")
        do throws(ServerPersistenceError) {
            try await writes.commit { connection throws(ServerPersistenceError) in
                _ = try connection.execute("INSERT INTO marks (mark) VALUES ($1)", [.integer(Int64(number))])
                if refusing { throw refusal }
            }
            return false
        } catch {
            return error == refusal
        }
    }

    /// A member that gives up after a statement of which nothing was asked, and which fails, fails alone.
    func failingQueuedStatement() async throws {
        try await mark(1_000)
        let failures = await withTaskGroup(of: Bool.self, returning: Int.self) { group in
            for number in 0..<60 {
                group.addTask {
                    if number.isMultiple(of: 3) { return await queuedMarkFails() }
                    return await markFails(number, refusing: false)
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(failures == 20)
        #expect(try await marks().count == 41)
    }

    /// Refuses its own member while a statement waits that fails; tells whether the commit failed.
    private func queuedMarkFails() async -> Bool {
        do throws(ServerPersistenceError) {
            try await writes.commit { connection throws(ServerPersistenceError) in
                try connection.enqueue("INSERT INTO marks (mark) VALUES (1000)", [])
                throw .corruptRow(table: "marks", column: "mark")
            }
            return false
        } catch {
            return true
        }
    }

    /// Writes a mark, every other one from a task that was cancelled before.
    private func markInCancelledTask(_ number: Int) async throws {
        if number.isMultiple(of: 2) { withUnsafeCurrentTask { $0?.cancel() } }
        try await mark(Int64(number))
    }

    /// A COMMIT that fails fails every member and leaves nothing.
    func failingCommit() async throws {
        database.set { $0.failsCommits = true }
        let failures = await withTaskGroup(of: Bool.self, returning: Int.self) { group in
            for number in 0..<40 {
                group.addTask {
                    do throws(ServerPersistenceError) {
                        try await mark(Int64(number))
                        return false
                    } catch {
                        return error == FaultyDatabase.fault
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(failures == 40)
        #expect(try await marks().isEmpty)
        database.set { $0.failsCommits = false }
        try await mark(1)
        #expect(try await marks() == [1])
    }

    /// A member whose task was cancelled does not spoil the transaction of the others.
    func cancellation() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 { group.addTask { try await markInCancelledTask(number) } }
            try await group.waitForAll()
        }
        #expect(try await marks().count == 50)
    }

    /// Results come from the members' own bodies.
    func results() async throws {
        let values = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<50 {
                group.addTask {
                    try await writes.commit { _ throws(ServerPersistenceError) in number * 2 } == number * 2
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(values.count == 50)
        #expect(values.allSatisfy { $0 })
    }
}
