import Foundation
import GRDB
import ServerPersistence
import Synchronization

/// Connections that only read; a read takes the one that was given back last.
///
/// A read runs on the thread of its caller: it takes some twenty microseconds, and to change the thread and come back
/// would take as long again. Each processor has at least one connection, so a read hardly ever waits for another one,
/// and never for a write. Each connection keeps its own pages and statements in memory. Were the connections used in
/// turn, all of them would read and keep the same pages; where few reads meet, one or two connections do.
final class SQLiteReaders: Sendable {
    static var count: Int { max(4, ProcessInfo.processInfo.activeProcessorCount) }

    private struct State {
        /// Idle connections, the last one given back at the end.
        var idle: [Int]
        /// Connection that the next read waits for when none is idle.
        var next = 0
    }

    private let queues: [DatabaseQueue]
    private let state: Mutex<State>

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
        state = Mutex(State(idle: Array(queues.indices.reversed())))
    }

    func read<Value>(
        _ body: (Database) throws(ServerPersistenceError) -> Value
    ) throws(ServerPersistenceError) -> Value {
        let (place, isIdle) = take()
        defer { if isIdle { give(place) } }
        return try queues[place].writeWithoutTransaction { database in
            Result { () throws(ServerPersistenceError) in try body(database) }
        }.get()
    }

    /// A connection, and whether it has to be given back: one that was not idle is given back by whom the read waits for.
    private func take() -> (place: Int, isIdle: Bool) {
        state.withLock { state in
            if let place = state.idle.popLast() { return (place, true) }
            state.next = (state.next + 1) % queues.count
            return (state.next, false)
        }
    }

    private func give(_ place: Int) {
        state.withLock { $0.idle.append(place) }
    }

    func close() throws {
        for queue in queues { try queue.close() }
    }
}
