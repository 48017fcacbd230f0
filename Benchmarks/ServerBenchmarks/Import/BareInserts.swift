import ServerCore
import ServerPersistence
import ServerPersistenceSQLite

/// Inserts of the rows that an import has written, as it has written them, and nothing else.
struct BareInserts {
    /// Users of one batch of the import, with a line for each and for the key of each.
    private static let batch = 2_000

    /// Tables with their columns, and what ties a row to its user.
    private static let tables = [
        (
            name: "users", columns: "id, name, external_id, skeleton, owner, status, created_at, not_before",
            user: "id"
        ),
        (name: "user_aliases", columns: "alias, user_id", user: "user_id"),
        (name: "user_search", columns: "kind, value, user_id", user: "user_id"),
        (name: "audit_subjects", columns: "user_id, key", user: "user_id"),
        (
            name: "credentials",
            columns: "registration_id, user_id, aaid, key_id, algorithm, public_key_format, public_key, sign_counter, "
                + "registration_counter, authenticator_version, status, registered_at, last_success_at, "
                + "dispatch_target_id, protection, not_before",
            user: "user_id"
        ),
    ]

    private let source: SQLiteDatabase

    init(of database: String) throws { source = try SQLiteDatabase(path: database) }

    /// Seconds that the inserts take, without the time to read the rows.
    func seconds(into file: String) async throws -> Double {
        let target = try SQLiteDatabase(path: file)
        try await Migrator().migrate(target, at: SystemWallClock().now())
        var (first, duration) = (0, Duration.zero)
        while true {
            let rows = try await rows(behind: first)
            guard let users = rows.first, !users.isEmpty else { break }
            let start = ContinuousClock.now
            try await target.transaction { connection throws(ServerPersistenceError) in
                for (table, rows) in zip(Self.tables, rows) {
                    let places = (1...table.columns.split(separator: ",").count).map { "$\($0)" }
                    let statement =
                        "INSERT INTO \(table.name) (\(table.columns)) VALUES (\(places.joined(separator: ", ")))"
                    _ = try connection.execute(statement, each: rows)
                }
            }
            duration += ContinuousClock.now - start
            first += Self.batch
        }
        try target.close()
        try source.close()
        return duration / .seconds(1)
    }

    /// Rows of the next users, table by table, in the order in which they were written.
    private func rows(behind first: Int) async throws -> [[[SQLValue]]] {
        try await source.read { connection throws(ServerPersistenceError) in
            try Self.tables.map { table throws(ServerPersistenceError) in
                let columns = table.columns.split(separator: ", ").map { "owned.\($0)" }.joined(separator: ", ")
                return try connection.rows(
                    """
                    SELECT \(columns) FROM users AS them JOIN \(table.name) AS owned ON owned.\(table.user) = them.id
                    WHERE them.rowid > $1 AND them.rowid <= $2 ORDER BY them.rowid
                    """, [.integer(Int64(first)), .integer(Int64(first + Self.batch))]
                ).map(\.values)
            }
        }
    }
}
