/// Database whose words a statement is written in, as far as SQLite and PostgreSQL differ.
package enum SQLDialect: Sendable, Hashable, CaseIterable {
    case sqlite
    case postgreSQL

    /// Whether a transaction that writes is alone: no other one changes what it has read, and it waits for no row.
    var writesAlone: Bool {
        switch self {
        case .sqlite: true
        case .postgreSQL: false
        }
    }

    /// Ending of a query that holds the rows it finds, of all tables or of one, until the transaction ends.
    ///
    /// A writing transaction of SQLite is alone already. A row that is held may still be referred to by new rows.
    func rowLock(of table: String? = nil) -> String { ending(" FOR NO KEY UPDATE", table) }

    /// Ending of a query that keeps the rows it finds, of all tables or of one, as they are until the transaction ends.
    ///
    /// Others may keep them, too.
    func rowGuard(of table: String? = nil) -> String { ending(" FOR SHARE", table) }

    private func ending(_ words: String, _ table: String?) -> String {
        switch self {
        case .sqlite: ""
        case .postgreSQL: words + (table.map { " OF " + $0 } ?? "")
        }
    }

    /// Statement that keeps other transactions from writing tables, and from holding their rows, until this one ends;
    /// they may read them.
    ///
    /// Nil without tables, and where a transaction that writes is alone already.
    func writeLock(on tables: [String]) -> String? {
        switch self {
        case .sqlite: nil
        case .postgreSQL:
            tables.isEmpty ? nil : "LOCK TABLE \(tables.joined(separator: ", ")) IN EXCLUSIVE MODE"
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

    var tablesQuery: String {
        switch self {
        case .sqlite: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
        case .postgreSQL:
            "SELECT tablename FROM pg_catalog.pg_tables WHERE schemaname = current_schema() ORDER BY tablename"
        }
    }

    /// Query for the number of the table of the mark: 0 in a file, elsewhere another one in each database that a dump is
    /// restored into.
    var homeQuery: String {
        switch self {
        case .sqlite: "SELECT 0"
        case .postgreSQL:
            "SELECT oid::bigint FROM pg_catalog.pg_class WHERE oid = '\(DatabaseMark.table)'::regclass"
        }
    }

    /// Query for an index by its name, `$1`: 1, or 0 for one that was not finished and is of no use.
    var indexQuery: String {
        switch self {
        case .sqlite: "SELECT 1 FROM sqlite_master WHERE type = 'index' AND name = $1"
        case .postgreSQL:
            """
            SELECT CAST(CASE WHEN indexes.indisvalid THEN 1 ELSE 0 END AS BIGINT) FROM pg_catalog.pg_index AS indexes
            JOIN pg_catalog.pg_class AS names ON names.oid = indexes.indexrelid
            WHERE names.relname = $1 AND names.relnamespace = current_schema()::regnamespace
            """
        }
    }

    /// Statement that builds an index while others read and, on PostgreSQL, write.
    func creation(of index: DeferredIndex) -> String {
        switch self {
        case .sqlite: index.creation
        case .postgreSQL: "CREATE INDEX CONCURRENTLY \(index.name) ON \(index.place)"
        }
    }

    func removal(ofIndex name: String) -> String {
        switch self {
        case .sqlite: "DROP INDEX \(name)"
        case .postgreSQL: "DROP INDEX CONCURRENTLY \(name)"
        }
    }

    /// Query for the columns of a table, `$1`: names in order, and the place of each in the primary key from 1, or 0.
    var columnsQuery: String {
        switch self {
        case .sqlite: "SELECT name, pk FROM pragma_table_info($1) ORDER BY cid"
        case .postgreSQL:
            """
            SELECT columns.column_name::text, COALESCE(keys.ordinal_position, 0)::bigint
            FROM information_schema.columns
            LEFT JOIN information_schema.table_constraints AS constraints
                ON constraints.table_schema = columns.table_schema AND constraints.table_name = columns.table_name
                AND constraints.constraint_type = 'PRIMARY KEY'
            LEFT JOIN information_schema.key_column_usage AS keys
                ON keys.constraint_schema = constraints.constraint_schema
                AND keys.constraint_name = constraints.constraint_name AND keys.column_name = columns.column_name
                AND keys.table_name = columns.table_name
            WHERE columns.table_schema = current_schema() AND columns.table_name = $1
            ORDER BY columns.ordinal_position
            """
        }
    }

    /// Statement of a migration in this dialect.
    ///
    /// Texts are compared octet by octet, as SQLite does, whatever the language of the database: lists have the same order
    /// on both, and no two names are equal that are not the same. `WITHOUT ROWID` ends the statement of a table that SQLite
    /// keeps in the tree of its primary key; PostgreSQL has no such tables.
    func schema(_ statement: String) -> String {
        switch self {
        case .sqlite: statement
        case .postgreSQL:
            statement.replacing(/\bTEXT\b/, with: #"TEXT COLLATE "C""#).replacing(
                /\)\s+WITHOUT ROWID$/, with: ")")
        }
    }
}
