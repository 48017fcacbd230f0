import GRDB
import GRDBSQLite
import ServerPersistence
import Synchronization

/// Checkpoints of a write-ahead log, made beside the commits instead of within one.
///
/// SQLite copies the log into the database in the commit that has filled it, so that every request which waits for that
/// commit waits for some thousand pages and for the disk. Here a separate connection copies while others commit. What
/// they have written meanwhile, a small part, is copied between two commits, since the log can begin anew only when all
/// of it is copied.
///
/// A process that ends at any moment loses nothing: the log is what is durable, and a checkpoint can be repeated. Where the
/// copies do not keep up the commits make them, as SQLite does by itself.
final class SQLiteCheckpoints: Sendable {
    /// Number of times of ``pageCount`` at which a commit makes the checkpoint itself.
    private static let patience = 4

    /// Pages in the log at which a checkpoint begins.
    private let pageCount: Int
    private let copier: DatabaseQueue
    private let writer: any DatabaseWriter
    private let state = Mutex(State())

    private struct State {
        var isCopying = false
        var isClosed = false
    }

    /// Makes checkpoints of the file at `path` when `writer`, the only connection of this process that writes it, has
    /// written so many pages.
    init(
        path: String, writer: any DatabaseWriter, configuration: Configuration, pageCount: Int
    ) throws(ServerPersistenceError) {
        self.pageCount = pageCount
        self.writer = writer
        copier = try SQLiteFailure.mapped { try DatabaseQueue(path: path, configuration: configuration) }
        try SQLiteFailure.mapped { [self] in
            try copier.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            writer.unsafeReentrantWrite { watch($0) }
        }
    }

    /// Has SQLite tell of the length of the log after each commit, instead of making checkpoints itself.
    private func watch(_ database: Database) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_wal_hook(
            database.sqliteConnection,
            { context, handle, _, pages in
                guard let context else { return SQLITE_OK }
                let checkpoints = Unmanaged<SQLiteCheckpoints>.fromOpaque(context).takeUnretainedValue()
                checkpoints.committed(Int(pages), handle)
                return SQLITE_OK
            }, context)
    }

    /// Called within a commit that is durable, with the pages in the log.
    private func committed(_ pages: Int, _ handle: OpaquePointer?) {
        guard pages >= pageCount else { return }
        if pages >= Self.patience * pageCount { Self.copy(handle) }
        let begins = state.withLock { state in
            guard !state.isCopying, !state.isClosed else { return false }
            state.isCopying = true
            return true
        }
        guard begins else { return }
        copier.asyncWriteWithoutTransaction { [self] database in
            Self.copy(database.sqliteConnection)
            // Behind the commit that is under way. What is left is little, and then the log begins anew.
            writer.asyncWriteWithoutTransaction { [self] database in
                Self.copy(database.sqliteConnection)
                state.withLock { $0.isCopying = false }
            }
        }
    }

    /// Copies what no reader needs in the log, without waiting.
    ///
    /// A failure costs nothing but time: the log keeps what was not copied, and the next commits try again. Whether the disk is
    /// full or broken, they learn by themselves.
    private static func copy(_ handle: OpaquePointer?) {
        sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    }

    /// Ends when the checkpoint that is under way has ended; to be called before the connection that writes is closed.
    func close() throws {
        leave()
        try copier.close()
    }

    deinit { leave() }

    /// Has SQLite tell nothing any more.
    private func leave() {
        let wasClosed = state.withLock { state in
            defer { state.isClosed = true }
            return state.isClosed
        }
        if !wasClosed { writer.unsafeReentrantWrite { _ = sqlite3_wal_hook($0.sqliteConnection, nil, nil) } }
    }
}
