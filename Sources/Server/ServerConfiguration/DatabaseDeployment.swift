/// Database of a server.
package enum DatabaseDeployment: Sendable, Hashable {
    /// The embedded database, in one file, with page caches of so many MiB in one process; nil for a part of the memory.
    case sqlite(file: String, cacheSize: Int? = nil)
    case postgreSQL(PostgreSQLDeployment)

    /// Driver, as the configuration names it.
    package enum Driver: String, CaseIterable, Sendable {
        case sqlite, postgresql
    }

    /// Place of the database, for messages; it holds no secret.
    package var place: String {
        switch self {
        case .sqlite(let file, _): file
        case .postgreSQL(let server): server.place
        }
    }

    package var file: String? {
        if case .sqlite(let file, _) = self { file } else { nil }
    }
}
