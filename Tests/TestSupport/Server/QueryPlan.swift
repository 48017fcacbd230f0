package import ServerPersistence

/// Plan that a database has made for a statement, and what is wrong with it.
///
/// A statement finds its rows by an index and gets them in order from it: it neither reads a table from one end to the
/// other nor sorts rows in a tree of its own, except for those in ``allowances``.
package struct QueryPlan: Sendable {
    private let sql: String
    private let lines: [String]

    /// A plan as it was printed.
    package init(of sql: String, lines: [String]) {
        self.sql = sql
        self.lines = lines
    }

    /// Asks a database; nil for a statement that reads and writes no rows.
    ///
    /// PostgreSQL reads small tables whole, since that is faster; it is told not to, and does so where it has no other
    /// way.
    package init?(
        of sql: String, _ arguments: [SQLValue], _ connection: any SQLConnection
    ) throws(ServerPersistenceError) {
        let verbs = ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"]
        guard verbs.contains(where: { sql.hasPrefix($0) }) else { return nil }
        let rows: [SQLRow]
        switch connection.dialect {
        case .sqlite: rows = try connection.rows("EXPLAIN QUERY PLAN " + sql, arguments)
        case .postgreSQL:
            try connection.enqueue("SET LOCAL enable_seqscan = off", [])
            rows = try connection.rows("EXPLAIN (COSTS OFF) " + sql, arguments)
            try connection.enqueue("SET LOCAL enable_seqscan = on", [])
        }
        self.init(
            of: sql,
            lines: rows.compactMap { row -> String? in
                if case .text(let line)? = row.values.last { line } else { nil }
            })
    }

    /// What the statement reads too much, one text for each line of the plan; empty for nothing.
    package var problems: [String] {
        lines.filter { line in
            guard Self.signs.contains(where: { line.contains($0) }) else { return false }
            return !line.contains("CONSTANT ROW") && !Self.allowances.contains { $0.allows(line, of: sql) }
        }
    }

    /// Words for a table, or an index, that is read whole, and for rows that are sorted, on either database.
    private static let signs = ["SCAN ", "USE TEMP B-TREE", "AUTOMATIC", "Seq Scan on"]

    /// Line of a plan that is as it should be, in statements with a text.
    private struct Allowance: Sendable {
        let statement: String
        let line: String

        func allows(_ line: String, of sql: String) -> Bool { sql.contains(statement) && line.contains(self.line) }
    }

    private static let allowances: [Allowance] = [
        // The first row of an index, whichever user it belongs to.
        Allowance(statement: "(SELECT user_id FROM credentials LIMIT 1)", line: "credentials"),
        // A sample in the order of an index, which ends at its limit.
        Allowance(
            statement: "ORDER BY user_id, registered_at, registration_id LIMIT",
            line: "SCAN credentials USING INDEX credentials_by_user"),
        // The keys of one phone, the phones of one user, the accounts on one phone, and the tokens that wait for it:
        // some dozen at most, which rules bound.
        Allowance(statement: "WHERE dispatch_target_id = $1 ORDER BY registered_at", line: "USE TEMP B-TREE"),
        Allowance(statement: "FROM dispatch_targets WHERE user_id = $1 ORDER BY", line: "USE TEMP B-TREE"),
        Allowance(statement: "WHERE dispatch_targets.device_id = $1", line: "USE TEMP B-TREE"),
        Allowance(statement: "dispatch_target_id = $1 AND status = 'tokenCreated'", line: "USE TEMP B-TREE"),
        // Tables with a row for each process, key or profile, and with one row.
        Allowance(statement: "FROM process_clocks", line: " "),
        Allowance(statement: "FROM server_keys", line: " "),
        Allowance(statement: "FROM decoy_profiles", line: " "),
        Allowance(statement: "FROM receipt_keys", line: " "),
        // Some hundred clients at most, which are remembered for seconds.
        Allowance(statement: "FROM clients LEFT JOIN client_states", line: " "),
        Allowance(statement: "FROM client_states WHERE is_disabled", line: " "),
        // Pages that are open, as many as are counted at most.
        Allowance(statement: ") AS open_sessions", line: "SCAN open_sessions"),
        // Messages that wait, found by an index and put in the order of each receiver.
        Allowance(statement: "PARTITION BY kind, destination", line: "USE TEMP B-TREE"),
        Allowance(statement: "PARTITION BY kind, destination", line: "SCAN (subquery"),
        Allowance(statement: "PARTITION BY kind, destination", line: "SCAN ordered"),
        Allowance(statement: "PARTITION BY kind, destination", line: "SCAN numbered"),
        Allowance(statement: "consumption_watermark", line: "consumption_watermark"),
        Allowance(statement: "FROM schema_migrations", line: " "),
    ]
}
