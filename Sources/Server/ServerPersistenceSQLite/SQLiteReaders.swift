import Foundation
import GRDB
import ServerPersistence
import Synchronization

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
