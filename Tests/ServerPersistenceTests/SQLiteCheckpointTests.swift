import Dispatch
import Foundation
import ServerPersistence
import ServerPersistenceSQLite
import TestSupport
import Testing

@Suite("SQLite: checkpoints beside the commits", .timeLimit(.minutes(5)))
struct SQLiteCheckpointTests {
    private static let logPageCount = 64
    /// Octets of a page with its header in the log.
    private static let pageSize = 4_096 + 24

    private let folder: TemporaryFolder
    private let database: SQLiteDatabase

    init() async throws {
        folder = try TemporaryFolder()
        database = try SQLiteDatabase(path: folder.path + "/signet.db", logPageCount: Self.logPageCount)
        try await database.transaction { connection throws(ServerPersistenceError) in
            _ = try connection.execute("CREATE TABLE marks (mark BIGINT PRIMARY KEY, filling BYTEA)", [])
        }
    }

    /// Pages in the file of the log, which grows but never shrinks.
    private var logPages: Int {
        get throws {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/signet.db-wal")
            return ((attributes[.size] as? NSNumber)?.intValue ?? 0) / Self.pageSize
        }
    }

    /// Commits marks, each with some nine pages.
    private func write(_ marks: Range<Int>) async throws {
        for mark in marks {
            try await database.transaction { connection throws(ServerPersistenceError) in
                _ = try connection.execute(
                    "INSERT INTO marks (mark, filling) VALUES ($1, $2)",
                    [.integer(Int64(mark)), .blob([UInt8](repeating: UInt8(mark % 251), count: 32_768))])
            }
        }
    }

    private func isWhole(_ count: Int, in database: SQLiteDatabase) async throws -> Bool {
        let rows = try await database.read { connection throws(ServerPersistenceError) in
            try connection.rows("SELECT mark, filling FROM marks ORDER BY mark", [])
        }
        return rows
            == (0..<count).map {
                SQLRow([.integer(Int64($0)), .blob([UInt8](repeating: UInt8($0 % 251), count: 32_768))])
            }
    }

    @Test("The log begins anew while commits go on, and everything committed is there")
    func bounded() async throws {
        try await write(0..<600)
        #expect(try logPages < 600 * 8 / 2)
        #expect(try await isWhole(600, in: database))
        try database.close()
        let again = try SQLiteDatabase(path: folder.path + "/signet.db")
        #expect(try await isWhole(600, in: again))
        try again.close()
    }

    @Test("A read that takes long sees its state and holds up no commit; after it the log begins anew")
    func longRead() async throws {
        try await write(0..<10)
        let (began, mayEnd) = (AsyncStream<Void>.makeStream(), DispatchSemaphore(value: 0))
        let reading = Task(executorPreference: OwnThread()) { [database] in
            try await database.read { connection throws(ServerPersistenceError) in
                let first = try connection.row("SELECT COUNT(*) FROM marks", [])
                began.continuation.yield()
                mayEnd.wait()
                return [first, try connection.row("SELECT COUNT(*) FROM marks", [])]
            }
        }
        for await _ in began.stream { break }
        try await write(10..<100)
        #expect(try logPages > Self.logPageCount)
        mayEnd.signal()
        #expect(try await reading.value == [SQLRow([.integer(10)]), SQLRow([.integer(10)])])
        try await write(100..<110)
        let pages = try logPages
        try await write(110..<400)
        #expect(try logPages < pages + 290 * 8 / 2)
        #expect(try await isWhole(400, in: database))
        try database.close()
    }

    @Test("A database that is closed, or given up, while a checkpoint is under way has everything")
    func closed() async throws {
        for round in 0..<20 {
            let path = folder.path + "/\(round).db"
            var database: SQLiteDatabase? = try SQLiteDatabase(path: path, logPageCount: 8)
            for mark in 0..<8 {
                try await database?.transaction { connection throws(ServerPersistenceError) in
                    if mark == 0 { _ = try connection.execute("CREATE TABLE marks (mark BIGINT, filling BYTEA)", []) }
                    _ = try connection.execute(
                        "INSERT INTO marks (mark, filling) VALUES ($1, $2)",
                        [.integer(Int64(mark)), .blob([UInt8](repeating: UInt8(mark), count: 32_768))])
                }
            }
            if round % 2 == 0 { try database?.close() }
            database = nil
            let again = try SQLiteDatabase(path: path)
            #expect(try await isWhole(8, in: again))
            try again.close()
        }
        try database.close()
    }
}
