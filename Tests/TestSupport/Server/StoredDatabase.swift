package import ServerCore
package import ServerPersistence
package import ServerPersistencePostgreSQL
import ServerPersistenceSQLite
import Testing

/// Database on which one set of tests runs, whichever it is.
package enum StoredDatabase: CaseIterable, CustomTestStringConvertible, Sendable {
    /// SQLite in a file.
    case sqlite
    /// PostgreSQL, on the server of the tests.
    case postgreSQL

    /// Name of the database in the names of tests.
    package var testDescription: String {
        switch self {
        case .sqlite: "SQLite"
        case .postgreSQL: "PostgreSQL"
        }
    }

    /// Opens an empty database; the value keeps it until it ends.
    package func empty() throws -> OpenedDatabase {
        switch self {
        case .sqlite: try OpenedDatabase(folder: TemporaryFolder())
        case .postgreSQL: try OpenedDatabase(cluster: PostgresCluster.ofProcess.get())
        }
    }

    /// Opens a database with the tables of this version.
    package func migrated(at now: Timestamp) async throws -> OpenedDatabase {
        let opened = try empty()
        try await Migrator().migrate(opened.database, at: now)
        return opened
    }
}

/// Database of one test, removed with the value.
package final class OpenedDatabase: Sendable {
    /// The database.
    package let database: any SQLDatabase
    /// Address of the database on a server; nil for SQLite.
    package let settings: PostgreSQLSettings?

    private let folder: TemporaryFolder?
    private let cluster: PostgresCluster?

    init(folder: TemporaryFolder) throws {
        database = try SQLiteDatabase(path: folder.path + "/signet.sqlite")
        self.folder = folder
        (settings, cluster) = (nil, nil)
    }

    /// An empty database on a server.
    package init(cluster: PostgresCluster) throws {
        let name = cluster.freshName()
        try cluster.createDatabase(name)
        let settings = cluster.settings(name)
        database = try PostgreSQLDatabase(settings)
        self.settings = settings
        self.cluster = cluster
        folder = nil
    }

    deinit {
        if let settings, let cluster { try? cluster.dropDatabase(settings.database) }
    }

    /// The same database, opened as another process does.
    package func another() throws -> any SQLDatabase {
        if let settings { return try PostgreSQLDatabase(settings) }
        return try SQLiteDatabase(path: (folder?.path ?? "") + "/signet.sqlite")
    }
}
