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
    /// Number of the connections.
    static var count: Int { max(4, ProcessInfo.processInfo.activeProcessorCount) }

    private let queues: [DatabaseQueue]
    private let turns = Atomic<Int>(0)

    /// Opens the connections, each with a cache of `cacheKiB`, to a file that another connection has put into
    /// write-ahead mode.
    init(path: String, configuration: Configuration, cacheKiB: Int) throws(ServerPersistenceError) {
        var configuration = configuration
        configuration.readonly = true
        configuration.prepareDatabase { database in
            // In KiB when negative.
            try database.execute(sql: "PRAGMA cache_size = -\(cacheKiB)")
        }
        queues = try SQLiteFailure.mapped { [configuration] in
            try (0..<Self.count).map { _ in try DatabaseQueue(path: path, configuration: configuration) }
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
