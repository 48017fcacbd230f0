import ServerPersistence
import ServerPersistenceSQLite

/// Database of a measured server, with the file of the key that wraps the keys in it.
enum ServerStorage: Sendable {
    /// SQLite in one file.
    case sqlite(file: String, masterKey: String)

    /// Lines of the server's configuration.
    var settings: String {
        switch self {
        case .sqlite(let file, let masterKey):
            """
            master-key-file: \(masterKey)
            database: { file: \(file) }

            """
        }
    }

    /// Writes a population into the database, which is empty.
    func fill(with population: Population) async throws {
        switch self {
        case .sqlite(let file, _):
            let database = try SQLiteDatabase(path: file)
            try await population.write(into: database)
            try database.close()
        }
    }
}
