import Foundation
import ServerPersistence
import ServerPersistenceSQLite
import TestSupport
import Testing

@Suite("SQLite database")
struct SQLiteDatabaseTests {
    private func setting(_ name: String, of database: SQLiteDatabase) async throws -> SQLValue? {
        // In a transaction, so that it is the writing connection that answers.
        try await database.transaction { connection throws(ServerPersistenceError) in
            try connection.row("PRAGMA \(name)", [])?.values.first
        }
    }

    @Test("The writing connection synchronises every commit, in write-ahead mode with foreign keys")
    func durability() async throws {
        let folder = try TemporaryFolder()
        let database = try SQLiteDatabase(path: (folder.path + "/signet.db"))
        #expect(try await setting("synchronous", of: database) == .integer(2))
        #expect(try await setting("journal_mode", of: database) == .text("wal"))
        #expect(try await setting("foreign_keys", of: database) == .integer(1))
        try database.close()
    }

    @Test("S-L6: connections that read share the cache that is set with the one that writes")
    func caches() async throws {
        let folder = try TemporaryFolder()
        let database = try SQLiteDatabase(path: folder.path + "/signet.db", cache: SQLiteCache(size: 512))
        let connections = max(4, ProcessInfo.processInfo.activeProcessorCount) + 1
        let row = try await database.read { connection throws(ServerPersistenceError) in
            try connection.row("PRAGMA cache_size", [])
        }
        #expect(row?.values == [.integer(-Int64(512 * 1_024 / connections))])
        #expect(try await setting("cache_size", of: database) == row?.values.first)
        try database.close()
    }

    @Test(
        "Without a setting the caches take an eighth of the memory, 64 MiB at least and 1 GiB at most",
        arguments: [(256, 64), (1_024, 128), (4_096, 512), (65_536, 1_024)] as [(UInt64, Int)])
    func cacheByMemory(memory: UInt64, size: Int) {
        #expect(SQLiteCache(memory: memory * 1_048_576).size == size)
        #expect(SQLiteCache(size: 16, memory: memory * 1_048_576).size == 16)
    }

    @Test("The files belong to their owner alone, also when the file was readable before")
    func privacy() async throws {
        let folder = try TemporaryFolder()
        let path = (folder.path + "/signet.db")
        #expect(FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o644]))
        let database = try SQLiteDatabase(path: path)
        try await database.transaction { connection throws(ServerPersistenceError) in
            _ = try connection.execute("CREATE TABLE marks (mark BIGINT)", [])
        }
        for name in ["signet.db", "signet.db-wal", "signet.db-shm"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        }
        try database.close()
    }

    @Test("What was committed is there after the file is opened again")
    func persistence() async throws {
        let folder = try TemporaryFolder()
        let path = (folder.path + "/signet.db")
        let first = try SQLiteDatabase(path: path)
        try await first.transaction { connection throws(ServerPersistenceError) in
            _ = try connection.execute("CREATE TABLE marks (mark BYTEA, note TEXT, number BIGINT)", [])
            _ = try connection.execute(
                "INSERT INTO marks (mark, note, number) VALUES ($1, $2, $3)", [.blob([0, 255]), .text("é"), .null])
        }
        try first.close()
        let second = try SQLiteDatabase(path: path)
        let rows = try await second.read { connection throws(ServerPersistenceError) in
            try connection.rows("SELECT mark, note, number FROM marks", [])
        }
        #expect(rows == [SQLRow([.blob([0, 255]), .text("é"), .null])])
        try second.close()
    }

    @Test("Every kind of value comes back as it went in, empty ones and the ends of numbers included")
    func values() async throws {
        let values: [SQLValue] = [
            .null, .integer(.min), .integer(.max), .integer(0), .text(""), .text("a\0b"), .text("ü🙂"), .blob([]),
            .blob([0]), .blob([UInt8](repeating: 7, count: 70_000)),
        ]
        let database = try SQLiteDatabase()
        for value in values {
            let row = try await database.read { connection throws(ServerPersistenceError) in
                try connection.row("SELECT $1, $2", [value, .integer(1)])
            }
            #expect(row == SQLRow([value, .integer(1)]))
        }
    }

    @Test(
        "A statement wants an argument for each parameter; one from an earlier run never takes its place",
        arguments: [[.integer(3)], [], [.null, .null, .null]] as [[SQLValue]])
    func missingArguments(arguments: [SQLValue]) async throws {
        let database = try SQLiteDatabase()
        let statement = "SELECT $1, $2"
        let row = try await database.read { connection throws(ServerPersistenceError) in
            try connection.row(statement, [.integer(1), .integer(2)])
        }
        #expect(row == SQLRow([.integer(1), .integer(2)]))
        // SQLITE_RANGE
        await #expect(throws: ServerPersistenceError.statement(code: 25)) {
            try await database.read { connection throws(ServerPersistenceError) in
                try connection.rows(statement, arguments)
            }
        }
    }

    @Test("A read sees one state of the database, also when a commit comes between its statements")
    func snapshot() async throws {
        let folder = try TemporaryFolder()
        let database = try SQLiteDatabase(path: folder.path + "/signet.db")
        try await database.transaction { connection throws(ServerPersistenceError) in
            _ = try connection.execute("CREATE TABLE marks (mark BIGINT)", [])
        }
        let commits = CommitCounter()
        async let writing: Void = addMarks(to: database, countedBy: commits)
        for _ in 0..<10 {
            let reading = Task(executorPreference: OwnThread()) {
                try await database.read { connection throws(ServerPersistenceError) in
                    let first = try connection.row("SELECT COUNT(*) FROM marks", [])
                    commits.waitForNext()
                    return [first, try connection.row("SELECT COUNT(*) FROM marks", [])]
                }
            }
            let counts = try await reading.value
            #expect(counts[0] == counts[1])
        }
        commits.end()
        try await writing
        #expect(commits.count > 0)
        try database.close()
    }

    private func addMarks(to database: SQLiteDatabase, countedBy commits: CommitCounter) async throws {
        while !commits.isOver {
            try await database.transaction { connection throws(ServerPersistenceError) in
                _ = try connection.execute("INSERT INTO marks (mark) VALUES (1)", [])
            }
            commits.note()
        }
    }

    @Test("A transaction whose body throws leaves nothing behind")
    func rollback() async throws {
        let database = try SQLiteDatabase()
        await #expect(throws: ServerPersistenceError.unavailable(code: 1)) {
            try await database.transaction { connection throws(ServerPersistenceError) in
                _ = try connection.execute("CREATE TABLE marks (mark BIGINT)", [])
                throw .unavailable(code: 1)
            }
        }
        let tables = try await database.read { connection throws(ServerPersistenceError) in
            try connection.rows("SELECT name FROM sqlite_master", [])
        }
        #expect(tables.isEmpty)
    }

    @Test("A path that cannot hold a file is refused")
    func unusablePath() throws {
        let folder = try TemporaryFolder()
        #expect(throws: ServerPersistenceError.self) { try SQLiteDatabase(path: folder.path) }
        #expect(throws: ServerPersistenceError.self) { try SQLiteDatabase(path: (folder.path + "/absent/signet.db")) }
    }

    @Test("A file that is no database is refused")
    func foreignFile() throws {
        let folder = try TemporaryFolder()
        let path = (folder.path + "/signet.db")
        try Data(repeating: 0x41, count: 8192).write(to: URL(filePath: path))
        #expect(throws: ServerPersistenceError.self) { try SQLiteDatabase(path: path) }
    }

    @Test("Errors tell broken rules of the schema from wrong statements")
    func errors() async throws {
        let database = try SQLiteDatabase()
        try await database.transaction { connection throws(ServerPersistenceError) in
            _ = try connection.execute("CREATE TABLE marks (mark BIGINT PRIMARY KEY)", [])
            _ = try connection.execute("INSERT INTO marks (mark) VALUES (1)", [])
        }
        await #expect(throws: ServerPersistenceError.constraint(code: 1555)) {
            try await database.transaction { connection throws(ServerPersistenceError) in
                _ = try connection.execute("INSERT INTO marks (mark) VALUES (1)", [])
            }
        }
        await #expect(throws: ServerPersistenceError.statement(code: 1)) {
            try await database.transaction { connection throws(ServerPersistenceError) in
                _ = try connection.execute("INSERT INTO absent (mark) VALUES (1)", [])
            }
        }
    }
}
