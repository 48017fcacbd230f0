import LoadControl
import ServerPersistenceSQLite
import Synchronization
import TestSupport
import Testing

@testable import ServerPersistence

@Suite("Group read: queries of concurrent requests share the way to the database", .timeLimit(.minutes(10)))
struct GroupReadTests {
    private let stage = LoadStage()
    private let database: HeldReads
    private let reads: GroupRead

    init() throws {
        database = HeldReads(try SQLiteDatabase())
        reads = GroupRead(database, load: stage.controller())
    }

    /// Asks for a number by itself, and returns what came.
    private func ask(
        _ number: Int64, for lifetime: RequestLifetime? = nil
    ) async -> Result<Int64, ServerPersistenceError> {
        await ask(SQLQuery("SELECT $1", [.integer(number)]), for: lifetime)
    }

    private func ask(
        _ query: SQLQuery, for lifetime: RequestLifetime? = nil, by reads: GroupRead? = nil
    ) async -> Result<Int64, ServerPersistenceError> {
        let reads = reads ?? self.reads
        return await RequestLifetime.$current.withValue(lifetime) {
            await Deadline.$ofStatements.withValue(lifetime?.deadline) {
                do throws(ServerPersistenceError) {
                    let rows = try await reads.rows(of: query)
                    guard rows.count == 1, case .integer(let value) = rows[0].values.first else {
                        return .failure(.statement(code: 0))
                    }
                    return .success(value)
                } catch {
                    return .failure(error)
                }
            }
        }
    }

    /// Begins a read, which is held up.
    private func fill(_ group: inout TaskGroup<(Int64, Result<Int64, ServerPersistenceError>)>) async {
        group.addTask { (-1, await ask(-1)) }
        await database.untilReading(1)
    }

    @Test("A single request is one read")
    func alone() async {
        database.open()
        #expect(await ask(7) == .success(7))
        #expect(database.readSizes == [1])
    }

    @Test("What is asked while a read is under way is asked in one read, and each gets its own result")
    func together() async {
        await withTaskGroup { group in
            await fill(&group)
            for number in 1...20 { group.addTask { (Int64(number), await ask(Int64(number))) } }
            await untilWaiting(20)
            database.open()
            for await (number, answer) in group { #expect(answer == .success(number)) }
        }
        #expect(database.readSizes == [1, 20])
    }

    @Test("More than one read has room for are asked in further ones, in their order")
    func crowd() async {
        let count = 2 * GroupRead.memberLimit + 5
        await withTaskGroup { group in
            await fill(&group)
            for number in 1...count { group.addTask { (Int64(number), await ask(Int64(number))) } }
            await untilWaiting(count)
            database.open()
            for await (number, answer) in group { #expect(answer == .success(number)) }
        }
        #expect(database.readSizes.allSatisfy { $0 <= GroupRead.memberLimit })
        #expect(database.readSizes.reduce(0, +) == count + 1)
    }

    @Test("While many requests are in flight, a read waits for the pace, and who comes meanwhile is part of it")
    func pace() async {
        database.open()
        let pace = HeldPace(requestsInFlight: GroupPace.busy)
        let reads = GroupRead(database, load: pace.load)
        let query = SQLQuery("SELECT $1", [.integer(7)])
        #expect(await ask(query, by: reads) == .success(7))
        await withTaskGroup { group in
            group.addTask { await ask(query, by: reads) }
            await pace.untilWaiting()
            for _ in 1...4 { group.addTask { await ask(query, by: reads) } }
            while reads.waitingCount != 4 { await Task.yield() }
            pace.open()
            for await answer in group { #expect(answer == .success(7)) }
        }
        #expect(database.readSizes == [1, 5])
        #expect(pace.pauses == [GroupPace.longest])
    }

    @Test("A query with an error concerns its member alone")
    func oneError() async {
        await withTaskGroup { group in
            await fill(&group)
            group.addTask { (0, await ask(SQLQuery("SELECT nothing FROM nowhere", []))) }
            for number in 1...5 { group.addTask { (Int64(number), await ask(Int64(number))) } }
            await untilWaiting(6)
            database.open()
            for await (number, answer) in group {
                if number == 0 {
                    #expect(throws: ServerPersistenceError.self) { try answer.get() }
                } else {
                    #expect(answer == .success(number))
                }
            }
        }
    }

    @Test("A database that does not answer fails every member once")
    func outage() async {
        await withTaskGroup { group in
            await fill(&group)
            for number in 1...5 { group.addTask { (Int64(number), await ask(Int64(number))) } }
            await untilWaiting(5)
            database.fail(with: .unavailable(code: 10))
            database.open()
            for await (_, answer) in group { #expect(answer == .failure(.unavailable(code: 10))) }
        }
        #expect(database.readSizes.count == 2)
    }

    @Test("Who waits when the request ends is refused at once, and the others are not")
    func endedRequest() async {
        let lifetime = stage.lifetime(.seconds(5))
        await withTaskGroup { group in
            await fill(&group)
            group.addTask { (0, await ask(0, for: lifetime)) }
            await untilWaiting(1)
            lifetime.abandon()
            #expect(await group.next()?.1 == .failure(.overloaded))
            group.addTask { (1, await ask(1)) }
            await untilWaiting(1)
            database.open()
            for await (number, answer) in group { #expect(answer == .success(number)) }
        }
    }

    @Test("A read of several requests has the latest of their deadlines, and does not end with one of them")
    func deadline() async {
        let (first, second) = (stage.lifetime(.seconds(5)), stage.lifetime(.seconds(9)))
        await withTaskGroup { group in
            await fill(&group)
            group.addTask { (1, await ask(1, for: first)) }
            await untilWaiting(1)
            group.addTask { (2, await ask(2, for: second)) }
            await untilWaiting(2)
            database.open()
            for await (number, answer) in group { #expect(answer == .success(number)) }
        }
        #expect(database.deadlines.last == .some(Deadline(at: .seconds(9))))
        #expect(database.lifetimes.allSatisfy { $0 == nil })
    }

    @Test("A read without an answer holds no one up for long: who comes later leads another one, with those who wait")
    func slowRead() async {
        await withTaskGroup { group in
            await fill(&group)
            group.addTask { (1, await ask(1)) }
            await untilWaiting(1)
            stage.pass(GroupRead.patience - .milliseconds(1))
            group.addTask { (2, await ask(2)) }
            await untilWaiting(2)
            stage.pass(.milliseconds(1))
            group.addTask { (3, await ask(3)) }
            await database.untilReading(2)
            #expect(reads.waitingCount == 0)
            // Each of a few reads may be slow; then the next ones wait.
            for number in 3...GroupRead.readLimit {
                stage.pass(GroupRead.patience)
                group.addTask { (Int64(number), await ask(Int64(number))) }
                await database.untilReading(number)
            }
            stage.pass(GroupRead.patience)
            group.addTask { (9, await ask(9)) }
            await untilWaiting(1)
            database.open()
            for await (number, answer) in group { #expect(answer == .success(number)) }
        }
        #expect(reads.waitingCount == 0)
    }

    @Test("The queue has a bound, and who has left gives the place up")
    func bound() async {
        let lifetime = stage.lifetime(.seconds(5))
        await withTaskGroup { group in
            await fill(&group)
            for _ in 1..<GroupRead.waitingLimit { group.addTask { (3, await ask(3)) } }
            group.addTask { (0, await ask(0, for: lifetime)) }
            await untilWaiting(GroupRead.waitingLimit)
            #expect(await ask(1) == .failure(.overloaded))
            lifetime.abandon()
            #expect(await group.next()?.1 == .failure(.overloaded))
            group.addTask { (2, await ask(2)) }
            await untilWaiting(GroupRead.waitingLimit)
            #expect(await ask(1) == .failure(.overloaded))
            database.open()
            for await (number, answer) in group { #expect(answer == .success(number)) }
        }
    }

    private func untilWaiting(_ count: Int) async {
        while reads.waitingCount != count { await Task.yield() }
    }
}

/// Database whose reads wait until they are let through, and which keeps how many queries each has.
private final class HeldReads: SQLDatabase {
    private struct State {
        var isOpen = false
        var sizes: [Int] = []
        var begun = 0
        var deadlines: [Deadline?] = []
        var lifetimes: [RequestLifetime?] = []
        var failure: ServerPersistenceError?
    }

    private let inner: any SQLDatabase
    private let state = Mutex(State())

    init(_ inner: any SQLDatabase) {
        self.inner = inner
    }

    var readSizes: [Int] { state.withLock { $0.sizes } }
    var deadlines: [Deadline?] { state.withLock { $0.deadlines } }
    var lifetimes: [RequestLifetime?] { state.withLock { $0.lifetimes } }

    func open() { state.withLock { $0.isOpen = true } }

    func fail(with failure: ServerPersistenceError) { state.withLock { $0.failure = failure } }

    func untilReading(_ count: Int) async {
        while state.withLock({ $0.begun < count }) { await Task.yield() }
    }

    func read<Value: Sendable>(_ body: @escaping SQLBody<Value>) async throws(ServerPersistenceError) -> Value {
        state.withLock { state in
            state.begun += 1
            state.deadlines.append(Deadline.ofStatements)
            state.lifetimes.append(RequestLifetime.current)
        }
        while !state.withLock({ $0.isOpen }) { await Task.yield() }
        let failure = state.withLock { state in
            if state.failure != nil { state.sizes.append(0) }
            return state.failure
        }
        if let failure { throw failure }
        return try await inner.read { connection throws(ServerPersistenceError) in
            try body(CountingConnection(inner: connection) { count in self.state.withLock { $0.sizes.append(count) } })
        }
    }

    func transaction<Value: Sendable>(
        _ body: @escaping SQLBody<Value>
    ) async throws(ServerPersistenceError) -> Value {
        try await inner.transaction(body)
    }
}

private struct CountingConnection: SQLConnection {
    let inner: any SQLConnection
    let count: (Int) -> Void

    var dialect: SQLDialect { inner.dialect }

    func execute(_ sql: String, _ arguments: [SQLValue]) throws(ServerPersistenceError) -> Int {
        try inner.execute(sql, arguments)
    }

    func rows(_ sql: String, _ arguments: [SQLValue]) throws(ServerPersistenceError) -> [SQLRow] {
        try inner.rows(sql, arguments)
    }

    func results(of queries: [SQLQuery]) throws(ServerPersistenceError) -> [[SQLRow]] {
        count(queries.count)
        return try inner.results(of: queries)
    }

    func lock(_ lock: SQLLock) throws(ServerPersistenceError) { try inner.lock(lock) }
}
