import Foundation
import ServerPersistence
import Synchronization
import TestSupport
import Testing

@testable import ServerPersistenceSQLite

@Suite("Turns of writing among processes that share a database file")
struct WriteLockTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/signet.db" }

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Runs `body` on a thread of its own: a turn is waited for on the thread.
    private func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
        }
    }

    /// Whether a thread is the next in line.
    private static func isNextTaken(besides path: String) -> Bool {
        let descriptor = open(path + ".turn-next", O_RDWR)
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) != 0
    }

    @Test(
        "Who ends a turn and wants another one at once comes behind the one that waits, however often",
        .timeLimit(.minutes(10)))
    func fairness() async throws {
        let (path, order) = (path, Order())
        let (greedy, patient) = (try WriteLock(besides: path), try WriteLock(besides: path))
        for _ in 0..<20 {
            let isHeld = Mutex(false)
            async let other: Void = onThread {
                while !isHeld.withLock({ $0 }) { usleep(100) }
                try patient.take(within: .seconds(600)) { () throws(ServerPersistenceError) in order.note("patient") }
            }
            try await onThread {
                try greedy.take(within: .seconds(600)) { () throws(ServerPersistenceError) in
                    order.note("greedy")
                    isHeld.withLock { $0 = true }
                    while !Self.isNextTaken(besides: path) { usleep(100) }
                }
                try greedy.take(within: .seconds(600)) { () throws(ServerPersistenceError) in order.note("again") }
            }
            try await other
            #expect(order.taken() == ["greedy", "patient", "again"])
        }
    }

    @Test("Who waits for longer than it may is told that the file is busy, and keeps no other from the turn")
    func patience() async throws {
        let path = path
        let (holder, late) = (try WriteLock(besides: path), try WriteLock(besides: path))
        try await onThread {
            try holder.take(within: .seconds(1)) { () throws(ServerPersistenceError) -> Void in
                #expect(throws: ServerPersistenceError.unavailable(code: 5)) {
                    try late.take(within: .milliseconds(20)) { () throws(ServerPersistenceError) in
                        Issue.record("two at the same time")
                    }
                }
            }
            let isRun = Mutex(false)
            try late.take(within: .seconds(600)) { () throws(ServerPersistenceError) in isRun.withLock { $0 = true } }
            #expect(isRun.withLock { $0 })
        }
    }

    @Test("A transaction that throws ends its turn")
    func failure() async throws {
        let path = path
        let (one, two) = (try WriteLock(besides: path), try WriteLock(besides: path))
        try await onThread {
            #expect(throws: ServerPersistenceError.statement(code: 7)) {
                try one.take(within: .seconds(1)) { () throws(ServerPersistenceError) in
                    throw ServerPersistenceError.statement(code: 7)
                }
            }
            try two.take(within: .milliseconds(500)) { () throws(ServerPersistenceError) in }
        }
    }

    @Test(
        "Two connections that commit side by side never meet a busy file, and lose no commit",
        .timeLimit(.minutes(10)))
    func sideBySide() async throws {
        let databases = [try SQLiteDatabase(path: path), try SQLiteDatabase(path: path)]
        try await databases[0].transaction { connection throws(ServerPersistenceError) in
            _ = try connection.execute("CREATE TABLE sums (id BIGINT PRIMARY KEY, total BIGINT NOT NULL)", [])
            _ = try connection.execute("INSERT INTO sums (id, total) VALUES (1, 0)", [])
        }
        let groups = databases.map { GroupCommit($0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                let commits = groups[number % 2]
                group.addTask {
                    for _ in 0..<50 { try await Self.addOne(by: commits) }
                }
            }
            try await group.waitForAll()
        }
        let total = try await databases[1].read { connection throws(ServerPersistenceError) in
            try connection.row("SELECT total FROM sums WHERE id = 1", [])
        }
        #expect(total?.values == [.integer(400)])
        for database in databases { try database.close() }
    }

    private static func addOne(by commits: GroupCommit) async throws {
        _ = try await commits.commit { connection throws(ServerPersistenceError) in
            try connection.execute("UPDATE sums SET total = total + 1 WHERE id = 1", [])
        }
    }

    @Test("Two processes that open a new file at the same time both get it", .timeLimit(.minutes(10)))
    func opening() async throws {
        for number in 0..<10 {
            let path = path + "\(number)"
            async let one: Void = onThread { try SQLiteDatabase(path: path).close() }
            async let two: Void = onThread { try SQLiteDatabase(path: path).close() }
            _ = try await (one, two)
        }
    }

    /// Names of those who had the turn, in order.
    private final class Order: Sendable {
        private let names = Mutex<[String]>([])

        func note(_ name: String) { names.withLock { $0.append(name) } }

        /// The names since this was last asked.
        func taken() -> [String] {
            names.withLock { names in
                defer { names = [] }
                return names
            }
        }
    }
}
