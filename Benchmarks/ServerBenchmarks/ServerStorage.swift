import Foundation
import ServerPersistence
import ServerPersistencePostgreSQL
import ServerPersistenceSQLite

/// Database of a measured server, with the file of the key that wraps the keys in it.
enum ServerStorage: Sendable {
    /// SQLite in one file.
    case sqlite(file: String, masterKey: String)
    /// Database of a PostgreSQL server on this machine, reached over a port, which may belong to a proxy.
    case postgresql(database: String, port: Int, masterKey: String)

    /// Lines of the server's configuration.
    var settings: String {
        switch self {
        case .sqlite(let file, let masterKey):
            """
            master-key-file: \(masterKey)
            database: { file: \(file) }

            """
        case .postgresql(let database, let port, let masterKey):
            """
            master-key-file: \(masterKey)
            database:
              driver: postgresql
              host: 127.0.0.1
              port: \(port)
              name: \(database)
              user: \(LocalPostgreSQL.user)

            """
        }
    }

    /// Writes a population into the database, which is empty; `written` hears how many users there are so far.
    ///
    /// The rows of a user come at random places of every index. So SQLite has a cache for all of them, and one transaction:
    /// each page is written once, and not once for each piece.
    func fill(with population: Population, written: @escaping @Sendable (Int) -> Void = { _ in }) async throws {
        switch self {
        case .sqlite(let file, _):
            let database = try SQLiteDatabase(path: file, cache: Self.cache(for: population.userCount))
            try await population.write(
                into: database, usersOfTransaction: population.userCount, written: written)
            try database.close()
        case .postgresql(let name, let port, _):
            let database = try PostgreSQLDatabase(
                PostgreSQLSettings(host: "127.0.0.1", port: port, database: name, user: LocalPostgreSQL.user))
            try await population.write(into: database, written: written)
            database.close()
        }
    }

    /// Cache whose share for the connection that writes holds so many users, up to half of the memory of this machine.
    ///
    /// The connections that read have as large a share, and use none of it.
    private static func cache(for userCount: Int) -> SQLiteCache {
        let needed = SQLiteCache().size + userCount / 1_024
        let connections = 1 + max(4, ProcessInfo.processInfo.activeProcessorCount)
        return SQLiteCache(size: min(needed, Int(clamping: SQLiteCache.memory >> 21)) * connections)
    }

    /// The same PostgreSQL database over another port; SQLite has none.
    func reached(over port: Int) -> ServerStorage {
        switch self {
        case .sqlite: self
        case .postgresql(let database, _, let masterKey):
            .postgresql(database: database, port: port, masterKey: masterKey)
        }
    }
}
