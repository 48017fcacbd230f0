/// Database of a server.
package enum DatabaseDeployment: Sendable, Hashable {
    /// The embedded database, in one file.
    case sqlite(file: String)
    /// A database on a PostgreSQL server.
    case postgreSQL(PostgreSQLDeployment)

    /// Driver, as the configuration names it.
    package enum Driver: String, CaseIterable, Sendable {
        case sqlite, postgresql
    }

    /// Place of the database, for messages; it holds no secret.
    package var place: String {
        switch self {
        case .sqlite(let file): file
        case .postgreSQL(let server): server.place
        }
    }

    /// File of the embedded database; nil for a database on a server.
    package var file: String? {
        if case .sqlite(let file) = self { file } else { nil }
    }
}
