/// Database whose words a statement is written in, as far as SQLite and PostgreSQL differ.
package enum SQLDialect: Sendable, Hashable, CaseIterable {
    case sqlite
    case postgreSQL

    /// Ending of a query that holds the rows it finds until the transaction ends.
    ///
    /// A writing transaction of SQLite is alone already. A row that is held may still be referred to by new rows.
    var rowLock: String {
        switch self {
        case .sqlite: ""
        case .postgreSQL: " FOR NO KEY UPDATE"
        }
    }

    /// Ending of a query that keeps the rows it finds as they are until the transaction ends.
    var rowGuard: String {
        switch self {
        case .sqlite: ""
        case .postgreSQL: " FOR SHARE"
        }
    }

    /// Query for a table by its name, `$1`.
    var tableQuery: String {
        switch self {
        case .sqlite: "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = $1"
        case .postgreSQL:
            "SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = current_schema() AND tablename = $1"
        }
    }

    /// Statement of a migration in this dialect.
    ///
    /// Texts are compared octet by octet, as SQLite does, whatever the language of the database: lists have the same order
    /// on both, and no two names are equal that are not the same.
    func schema(_ statement: String) -> String {
        switch self {
        case .sqlite: statement
        case .postgreSQL: statement.replacing(/\bTEXT\b/, with: #"TEXT COLLATE "C""#)
        }
    }
}

/// Lock by name on something that has no row yet, or that many rows belong to.
package struct SQLLock: Sendable, Hashable {
    /// Name of the lock, the same in every process.
    package let name: String
    /// Whether other holders may share it; those who do not share wait for all of them.
    package let isShared: Bool

    private init(_ name: String, isShared: Bool = false) {
        self.name = name
        self.isShared = isShared
    }

    /// The form of the tables.
    package static let schema = SQLLock("schema")
    /// The end of an audit chain.
    package static func chain(_ id: String) -> SQLLock { SQLLock("audit " + id) }
    /// Consumption of challenges, by those who consume.
    package static let consumption = SQLLock("consumption", isShared: true)
    /// Consumption of challenges, by those who forget.
    package static let forgetting = SQLLock("consumption")
    /// Names of users.
    static let names = SQLLock("names")
    /// The keys of the server.
    static let keys = SQLLock("keys")
    /// Server time.
    static let clock = SQLLock("clock")
    /// The distribution of decoys.
    static let decoys = SQLLock("decoys")
}
