import Foundation
import GRDB
package import ServerPersistence
import Synchronization

/// A SQLite database in one file, or in memory for tests.
///
/// One connection writes; readers see the last committed state (write-ahead log). Every commit is synchronised to the
/// disk: `synchronous=FULL` is set after opening, because the pool of connections sets `NORMAL` on its own, and then
/// read back. Whoever could lower it would win the replay of answers accepted just before a power failure.
package final class SQLiteDatabase: SQLDatabase {
    /// Time for which a statement waits for another process that holds the file.
    package static let busyTimeout: Duration = .seconds(5)

    private let writer: any DatabaseWriter
    /// Nil for a database in memory, which has one connection only.
    private let readers: SQLiteReaders?

    /// Opens the file at `path` and makes it, readable for the owner only, when it is not there.
    ///
    /// Throws ``ServerPersistenceError/file(errorNumber:)`` when the file cannot be protected and
    /// ``ServerPersistenceError/unsafeSetting(name:)`` when the database does not take the settings it needs.
    package init(path: String) throws(ServerPersistenceError) {
        try DatabaseFile(path: path).makePrivate()
        writer = try SQLiteFailure.mapped { try DatabasePool(path: path, configuration: Self.configuration()) }
        readers = try SQLiteReaders(path: path, configuration: Self.configuration())
        try SQLiteFailure.mapped { try writer.writeWithoutTransaction { try Self.makeDurable($0) } }
        try requireSettings(["journal_mode": "wal", "synchronous": "2", "foreign_keys": "1"])
    }

    /// Opens a database in memory, which ends with this object.
    package init() throws(ServerPersistenceError) {
        writer = try SQLiteFailure.mapped { try DatabaseQueue(configuration: Self.configuration()) }
        readers = nil
        try requireSettings(["foreign_keys": "1"])
    }

    package func read<Value: Sendable>(_ body: @escaping SQLBody<Value>) async throws(ServerPersistenceError) -> Value {
        guard let readers else { return try await run(body, in: "DEFERRED", on: writer) }
        return try readers.read { database throws(ServerPersistenceError) in
            try Self.run(body, in: "DEFERRED", on: database)
        }
    }

    package func transaction<Value: Sendable>(
        _ body: @escaping SQLBody<Value>
    ) async throws(ServerPersistenceError) -> Value {
        try await run(body, in: "IMMEDIATE", on: writer)
    }

    /// Closes the file; everything committed is in it.
    package func close() throws(ServerPersistenceError) {
        try SQLiteFailure.mapped {
            try readers?.close()
            try writer.close()
        }
    }

    private func run<Value: Sendable>(
        _ body: @escaping SQLBody<Value>, in kind: StaticString, on connection: any DatabaseWriter
    ) async throws(ServerPersistenceError) -> Value {
        // Not the async function of GRDB: that one ends with the caller's task, but others may share the transaction.
        let result: Result<Value, ServerPersistenceError> = await withCheckedContinuation { continuation in
            connection.asyncWriteWithoutTransaction { database in
                continuation.resume(
                    returning: Result { () throws(ServerPersistenceError) in
                        try Self.run(body, in: kind, on: database)
                    })
            }
        }
        return try result.get()
    }

    /// Runs a transaction whose statements are prepared once for each connection, which GRDB does not do by itself.
    private static func run<Value>(
        _ body: SQLBody<Value>, in kind: StaticString, on database: Database
    ) throws(ServerPersistenceError) -> Value {
        try SQLiteStatement("BEGIN \(kind) TRANSACTION", on: database).run()
        do throws(ServerPersistenceError) {
            let value = try body(SQLiteStatement.Connection(database))
            try SQLiteStatement("COMMIT TRANSACTION", on: database).run()
            return value
        } catch {
            try? database.rollback()
            throw error
        }
    }

    private static func configuration() -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(TimeInterval(busyTimeout.components.seconds))
        configuration.foreignKeysEnabled = true
        configuration.label = "signet"
        return configuration
    }

    private static func makeDurable(_ database: Database) throws {
        try database.execute(sql: "PRAGMA synchronous = FULL")
        try database.execute(sql: "PRAGMA secure_delete = ON")
        // A page that changes often is then copied out of the log once for 16 MiB of it, not for 4 MiB.
        try database.execute(sql: "PRAGMA wal_autocheckpoint = 4096")
        // In KiB when negative. This connection reads what it judges and writes; those that only read have caches of
        // their own (``SQLiteReaders``).
        try database.execute(sql: "PRAGMA cache_size = -65536")
    }

    /// Reads settings of the writing connection back and refuses to go on with others than asked for.
    private func requireSettings(_ expected: [String: String]) throws(ServerPersistenceError) {
        let writer = self.writer
        for (name, value) in expected {
            let found = try SQLiteFailure.mapped {
                try writer.writeWithoutTransaction { try String.fetchOne($0, sql: "PRAGMA \(name)") }
            }
            guard found == value else { throw .unsafeSetting(name: name) }
        }
    }
}

/// Connections that only read; reads take them in turn.
///
/// A read runs on the thread of its caller: it takes some twenty microseconds, and to change the thread and come back
/// would take as long again. There is a connection for each processor at least, so that it hardly ever waits for another read, and it
/// never waits for a write.
final class SQLiteReaders: Sendable {
    /// Cache of each connection at most: the inner pages of the indices over some millions of users, which every look-up
    /// reads, with a part of the leaves.
    static let cacheKiB = 16_384

    private let queues: [DatabaseQueue]
    private let turns = Atomic<Int>(0)

    /// Opens the connections to a file that another connection has put into write-ahead mode.
    init(path: String, configuration: Configuration) throws(ServerPersistenceError) {
        var configuration = configuration
        configuration.readonly = true
        configuration.prepareDatabase { database in
            // In KiB when negative; the default is 2 MiB, less than ten thousand users take.
            try database.execute(sql: "PRAGMA cache_size = -\(Self.cacheKiB)")
        }
        let count = max(4, ProcessInfo.processInfo.activeProcessorCount)
        queues = try SQLiteFailure.mapped { [configuration] in
            try (0..<count).map { _ in try DatabaseQueue(path: path, configuration: configuration) }
        }
    }

    /// Reads with the connection whose turn it is.
    func read<Value>(
        _ body: (Database) throws(ServerPersistenceError) -> Value
    ) throws(ServerPersistenceError) -> Value {
        let turn = turns.wrappingAdd(1, ordering: .relaxed).oldValue
        let queue = queues[Int(UInt(bitPattern: turn) % UInt(queues.count))]
        return try queue.writeWithoutTransaction { database in
            Result { () throws(ServerPersistenceError) in try body(database) }
        }.get()
    }

    /// Closes the connections.
    func close() throws {
        for queue in queues { try queue.close() }
    }
}

/// The file of a database and who may read it.
struct DatabaseFile {
    let path: String

    /// Makes the file when it is not there and takes all rights from everyone but its owner.
    ///
    /// SQLite gives the files it lays beside the database the same mode.
    func makePrivate() throws(ServerPersistenceError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .file(errorNumber: errno) }
        defer { close(descriptor) }
        guard fchmod(descriptor, 0o600) == 0 else { throw .file(errorNumber: errno) }
    }
}
