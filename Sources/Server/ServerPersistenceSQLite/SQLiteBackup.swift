import Foundation
import GRDB
package import ServerPersistence

/// Backup of a database file: one file, which no server writes.
package enum SQLiteBackup {
    package static let companions = ["-wal", "-shm", "-journal"]

    /// Writes the state of a database file into an empty one, while servers go on with it.
    ///
    /// The copy is one consistent state: that at the beginning. Until the end the log of the database grows.
    package static func copy(_ file: String, into empty: String) throws(ServerPersistenceError) {
        try SQLiteFailure.mapped {
            let source = try DatabaseQueue(path: file, configuration: SQLiteDatabase.configuration())
            try source.vacuum(into: empty)
            try source.close()
        }
    }
}

extension SQLiteDatabase {
    /// Brings what is in the write-ahead log into the file, as far as no reader needs it there.
    package func checkpoint() throws(ServerPersistenceError) {
        let writer = self.writer
        try SQLiteFailure.mapped { _ = try writer.writeWithoutTransaction { try $0.checkpoint(.passive) } }
    }

    /// First thing that SQLite finds wrong with the pages of the file; nil for a sound one.
    package func damage() throws(ServerPersistenceError) -> String? {
        let writer = self.writer
        let found = try SQLiteFailure.mapped {
            try writer.writeWithoutTransaction { try String.fetchOne($0, sql: "PRAGMA integrity_check(1)") }
        }
        return found == "ok" ? nil : found ?? "no answer"
    }
}
