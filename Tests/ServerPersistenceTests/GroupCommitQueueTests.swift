import LoadControl
import ServerPersistenceSQLite
import Synchronization
import TestSupport
import Testing

@testable import ServerPersistence

@Suite("Group commit: a bounded queue whose members run in time or never", .timeLimit(.minutes(10)))
struct GroupCommitQueueTests {
    /// Holds a transaction up until it is told to go on.
    private final class Barrier: Sendable {
        private let isOpen = Mutex(false)
        private let heldCount = Mutex(0)

        func hold() async {
            heldCount.withLock { $0 += 1 }
            while !isOpen.withLock({ $0 }) { await Task.yield() }
        }

        func reached(by count: Int = 1) async {
            while heldCount.withLock({ $0 < count }) { await Task.yield() }
        }

        func open() { isOpen.withLock { $0 = true } }
    }

    private let stage = LoadStage()
    private let barrier = Barrier()
    private let database: FaultyDatabase

    init() async throws {
        database = FaultyDatabase(try SQLiteDatabase())
        try await database.transaction { connection throws(ServerPersistenceError) in
            _ = try connection.execute("CREATE TABLE marks (mark BIGINT PRIMARY KEY)", [])
        }
        holdNext()
    }

    /// Lets the barrier hold the next transaction.
    private func holdNext() {
        let barrier = barrier
        database.set { $0.beforeTransaction = { await barrier.hold() } }
    }

    private func writes(capacity: Int = 1_024) -> GroupCommit {
        GroupCommit(database, load: stage.controller { $0.commitQueue = capacity })
    }

    /// Writes a mark for a request, or for the server itself; nil when it is durable.
    private func mark(
        _ number: Int64, _ writes: GroupCommit, for lifetime: RequestLifetime? = nil
    ) async -> ServerPersistenceError? {
        await RequestLifetime.$current.withValue(lifetime) {
            do throws(ServerPersistenceError) {
                try await writes.commit { connection throws(ServerPersistenceError) in
                    _ = try connection.execute("INSERT INTO marks (mark) VALUES ($1)", [.integer(number)])
                }
                return nil
            } catch {
                return error
            }
        }
    }

    private func marks() async throws -> [Int64] {
        try await database.read { connection throws(ServerPersistenceError) in
            try connection.rows("SELECT mark FROM marks ORDER BY mark", []).compactMap {
                if case .integer(let mark) = $0.values[0] { mark } else { nil }
            }
        }
    }

    private func untilWaiting(_ count: Int) async {
        while stage.depth(of: .commits) < count { await Task.yield() }
    }

    @Test("A request whose deadline passes in the queue is refused while the commit before runs, and never written")
    func expired() async throws {
        let (writes, late) = (writes(), stage.lifetime())
        async let first = mark(1, writes)
        await barrier.reached()
        async let second = mark(2, writes, for: late)
        async let third = mark(3, writes, for: stage.lifetime(.seconds(60)))
        await untilWaiting(2)
        stage.pass(.seconds(5))
        _ = late.expire()
        #expect(await second == .overloaded)
        barrier.open()
        #expect(await first == nil)
        #expect(await third == nil)
        #expect(try await marks() == [1, 3])
        #expect(stage.shed == ["commits deadline"])
    }

    @Test("Also without a timer a member whose time is over is not run when its turn comes")
    func lateTurn() async throws {
        let writes = writes()
        async let first = mark(1, writes)
        await barrier.reached()
        async let second = mark(2, writes, for: stage.lifetime())
        await untilWaiting(1)
        stage.pass(.seconds(5))
        barrier.open()
        #expect(await first == nil)
        #expect(await second == .overloaded)
        #expect(try await marks() == [1])
    }

    @Test("A client that leaves takes its write out of the queue")
    func abandoned() async throws {
        let (writes, gone) = (writes(), stage.lifetime())
        async let first = mark(1, writes)
        await barrier.reached()
        async let second = mark(2, writes, for: gone)
        await untilWaiting(1)
        gone.abandon()
        #expect(await second == .overloaded)
        barrier.open()
        #expect(await first == nil)
        #expect(try await marks() == [1])
        #expect(stage.shed == ["commits abandoned"])
    }

    @Test("What runs is finished: a deadline that passes during the commit changes nothing")
    func running() async throws {
        let (writes, lifetime) = (writes(), stage.lifetime())
        async let first = mark(1, writes, for: lifetime)
        await barrier.reached()
        stage.pass(.seconds(60))
        _ = lifetime.expire()
        barrier.open()
        #expect(await first == nil)
        #expect(lifetime.hasWritten && lifetime.end == nil)
        #expect(try await marks() == [1])
    }

    @Test("A full queue refuses a request at once, but neither the server's own work nor a request that has written")
    func full() async throws {
        let (writes, begun) = (writes(capacity: 1), stage.lifetime())
        begun.isWritten()
        async let first = mark(1, writes)
        await barrier.reached()
        async let second = mark(2, writes, for: stage.lifetime())
        await untilWaiting(1)
        #expect(await mark(3, writes, for: stage.lifetime()) == .overloaded)
        #expect(stage.shed == ["commits full"])
        async let fourth = mark(4, writes)
        async let fifth = mark(5, writes, for: begun)
        await untilWaiting(3)
        barrier.open()
        for outcome in await [first, second, fourth, fifth] { #expect(outcome == nil) }
        #expect(try await marks() == [1, 2, 4, 5])
    }

    @Test("Slow commits of the server's own work are no sign of overload; commits of requests are")
    func ownWork() async throws {
        let (database, stage) = (database, stage)
        database.set { $0.beforeTransaction = nil }
        let load = stage.controller()
        let writes = GroupCommit(database, load: load)
        let begun = load.currentLimit
        for number in 0..<40 {
            database.set { $0.beforeTransaction = { stage.pass(.seconds(1)) } }
            #expect(await mark(Int64(number), writes) == nil)
        }
        #expect(load.currentLimit == begun)
        for number in 40..<80 {
            database.set { $0.beforeTransaction = { stage.pass(.seconds(1)) } }
            #expect(await mark(Int64(number), writes, for: stage.lifetime()) == nil)
        }
        #expect(load.currentLimit < begun)
    }

    @Test("The place of one who has left is free for the next")
    func freed() async throws {
        let (writes, gone) = (writes(capacity: 1), stage.lifetime())
        async let first = mark(1, writes)
        await barrier.reached()
        async let second = mark(2, writes, for: gone)
        await untilWaiting(1)
        gone.abandon()
        #expect(await second == .overloaded)
        async let third = mark(3, writes, for: stage.lifetime())
        while stage.shed.isEmpty { await Task.yield() }
        barrier.open()
        #expect(await first == nil)
        #expect(await third == nil)
        #expect(try await marks() == [1, 3])
    }

    // MARK: - The pace

    @Test("Behind a network, commits run beside each other while few requests are in flight, up to a bound")
    func besideEachOther() async throws {
        database.set { $0.isBehindNetwork = true }
        let (writes, count) = (writes(), GroupCommit.sparseGroupLimit)
        await withTaskGroup { group in
            for number in 1..<count {
                holdNext()
                group.addTask { await mark(Int64(number), writes) }
                await barrier.reached(by: number)
            }
            #expect(await mark(10, writes) == nil)
            holdNext()
            group.addTask { await mark(11, writes) }
            await barrier.reached(by: count)
            group.addTask { await mark(12, writes) }
            await untilWaiting(1)
            barrier.open()
            for await failure in group { #expect(failure == nil) }
        }
        #expect(try await marks().count == count + 2)
        #expect(await mark(13, writes) == nil)
    }

    @Test("Behind a network, a commit waits for the one before while more requests are in flight")
    func oneAfterTheOther() async throws {
        database.set { $0.isBehindNetwork = true }
        let writes = GroupCommit(database, load: stage.controller(inFlight: GroupPace.sparse + 1))
        async let first = mark(1, writes)
        await barrier.reached()
        async let second = mark(2, writes)
        await untilWaiting(1)
        barrier.open()
        #expect(await first == nil)
        #expect(await second == nil)
    }

    @Test("While many requests are in flight, a commit waits for the pace, and who comes meanwhile is part of it")
    func pace() async throws {
        database.set { $0.beforeTransaction = nil }
        let pace = HeldPace(requestsInFlight: GroupPace.busy, report: stage)
        let writes = GroupCommit(database, load: pace.load)
        #expect(await mark(1, writes) == nil)
        let before = database.transactionCount
        await withTaskGroup { group in
            group.addTask { await mark(2, writes) }
            await pace.untilWaiting()
            for number in 3...6 { group.addTask { await mark(Int64(number), writes) } }
            await untilWaiting(4)
            pace.open()
            for await failure in group { #expect(failure == nil) }
        }
        #expect(database.transactionCount == before + 1)
        #expect(pace.pauses == [GroupPace.longest])
        #expect(try await marks() == [1, 2, 3, 4, 5, 6])
    }

    @Test("A request that ends while its commit waits for the pace is refused and never written; those who came are")
    func endedDuringPace() async throws {
        database.set { $0.beforeTransaction = nil }
        let pace = HeldPace(requestsInFlight: GroupPace.busy, report: stage)
        let (writes, gone) = (GroupCommit(database, load: pace.load), stage.lifetime())
        #expect(await mark(1, writes) == nil)
        async let second = mark(2, writes, for: gone)
        await pace.untilWaiting()
        async let third = mark(3, writes, for: stage.lifetime())
        await untilWaiting(1)
        gone.abandon()
        pace.open()
        #expect(await second == .overloaded)
        #expect(await third == nil)
        #expect(try await marks() == [1, 3])
    }

    @Test("The statements of a group have the latest deadline of its members, and none when one has none")
    func statementDeadline() async throws {
        let seen = DeadlineRecorder(database)
        let writes = GroupCommit(seen, load: stage.controller())
        async let first = mark(1, writes, for: stage.lifetime(.seconds(7)))
        await barrier.reached()
        async let second = mark(2, writes, for: stage.lifetime(.seconds(3)))
        async let third = mark(3, writes, for: stage.lifetime(.seconds(4)))
        await untilWaiting(2)
        barrier.open()
        for outcome in await [first, second, third] { #expect(outcome == nil) }
        #expect(await mark(4, writes) == nil)
        #expect(seen.deadlines == [Deadline(at: .seconds(7)), Deadline(at: .seconds(4)), nil])
    }
}

/// Database that keeps the deadline under which each transaction runs.
private final class DeadlineRecorder: SQLDatabase {
    private let inner: any SQLDatabase
    private let seen = Mutex<[Deadline?]>([])

    var deadlines: [Deadline?] { seen.withLock { $0 } }

    init(_ inner: any SQLDatabase) {
        self.inner = inner
    }

    func read<Value: Sendable>(_ body: @escaping SQLBody<Value>) async throws(ServerPersistenceError) -> Value {
        try await inner.read(body)
    }

    func transaction<Value: Sendable>(
        _ body: @escaping SQLBody<Value>
    ) async throws(ServerPersistenceError) -> Value {
        seen.withLock { $0.append(Deadline.ofStatements) }
        return try await inner.transaction(body)
    }
}
