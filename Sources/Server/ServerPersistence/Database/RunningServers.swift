package import ServerCore

/// Server processes that work on a database server, by their reports.
///
/// Each reports every ten seconds, and takes its report away when it stops. Beside a database file a lock says so, for all
/// that can run on it.
package enum RunningServers {
    /// Time since its last report for which a server counts as running.
    private static let silence: Duration = .seconds(60)

    /// Name of one that has reported within the last minute; nil without any, and for a database file.
    package static func name(
        on database: any SQLDatabase, at now: Timestamp
    ) async throws(ServerPersistenceError) -> String? {
        try await database.read { connection throws(ServerPersistenceError) in
            guard connection.dialect == .postgreSQL else { return nil }
            let row = try connection.row(
                "SELECT instance FROM process_clocks WHERE wall_time > $1 ORDER BY instance LIMIT 1",
                [.integer((now - silence).milliseconds)])
            guard let row else { return nil }
            var reader = RowReader(row, table: "process_clocks")
            return try reader.text("instance")
        }
    }
}
