package import ServerCore

/// Server processes that work on a database server, by their reports (``ServerCore/ProcessClock``).
///
/// Each reports every ten seconds, and takes its report away when it stops, or when its start fails. Beside a database file a
/// lock says so, for all that can run on it; the processes of a database server may run on any machine, and nothing else tells
/// of them.
///
/// Reports have the time of the machine that made them. One that was killed counts for a minute, and where its clock is ahead,
/// until that time has passed: to take it for gone could be wrong.
package enum RunningServers {
    /// Name of one that has reported within the last minute; nil without any, and for a database file.
    ///
    /// Throws what the database throws.
    package static func name(
        on database: any SQLDatabase, at now: Timestamp
    ) async throws(ServerPersistenceError) -> String? {
        try await database.read { connection throws(ServerPersistenceError) in
            guard connection.dialect == .postgreSQL else { return nil }
            let row = try connection.row(
                "SELECT instance FROM process_clocks WHERE wall_time > $1 ORDER BY instance LIMIT 1",
                [.integer((now - ProcessClock.silence).milliseconds)])
            guard let row else { return nil }
            var reader = RowReader(row, table: "process_clocks")
            return try reader.text("instance")
        }
    }
}
