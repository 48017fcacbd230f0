import GRDB
import ServerPersistence
import Synchronization

/// Connections that only read, each with a queue of its own; reads take them in turn.
///
/// The pool of GRDB would look for a free connection on one queue, then read on another, and ask for the version of the
/// schema each time; each of these costs more than a read of ours does.
final class SQLiteReaders: Sendable {
    private static let count = 4

    private let queues: [DatabaseQueue]
    private let turns = Atomic<Int>(0)

    /// Opens the connections to a file that another connection has put into write-ahead mode.
    init(path: String, configuration: Configuration) throws(ServerPersistenceError) {
        var configuration = configuration
        configuration.readonly = true
        queues = try SQLiteFailure.mapped { [configuration] in
            try (0..<Self.count).map { _ in try DatabaseQueue(path: path, configuration: configuration) }
        }
    }

    /// The connection whose turn it is.
    var next: DatabaseQueue {
        let turn = turns.wrappingAdd(1, ordering: .relaxed).oldValue
        return queues[Int(UInt(bitPattern: turn) % UInt(queues.count))]
    }

    /// Closes the connections.
    func close() throws {
        for queue in queues { try queue.close() }
    }
}
