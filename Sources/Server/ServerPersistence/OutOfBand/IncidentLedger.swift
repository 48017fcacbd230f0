import ServerCore

/// Counts what happens to a user's out-of-band operations.
struct IncidentLedger {
    let connection: any SQLConnection

    /// Counts an incident against the user, if its proof suffices for that.
    func note(
        _ incident: UserIncident, of user: UserID, by proof: EventProof, at time: Timestamp
    ) throws(ServerPersistenceError) {
        guard proof.counts(as: incident) else { return }
        try connection.execute(
            "INSERT INTO user_incidents (user_id, kind, happened_at) VALUES ($1, $2, $3)",
            [.blob(user.octets), .text(incident.rawValue), .integer(time.milliseconds)])
    }

    /// Times of an incident, the oldest first.
    func times(
        of incident: UserIncident, _ user: UserID, since start: Timestamp
    ) throws(ServerPersistenceError) -> [Timestamp] {
        let rows = try connection.rows(
            """
            SELECT happened_at FROM user_incidents WHERE user_id = $1 AND kind = $2 AND happened_at > $3
            ORDER BY happened_at
            """, [.blob(user.octets), .text(incident.rawValue), .integer(start.milliseconds)])
        return try rows.map { row throws(ServerPersistenceError) in
            var reader = RowReader(row, table: "user_incidents")
            return Timestamp(milliseconds: try reader.integer("happened_at"))
        }
    }

    /// Pushes are counted since the user last succeeded.
    func forgetPushes(of user: UserID) throws(ServerPersistenceError) {
        try connection.execute(
            "DELETE FROM user_incidents WHERE user_id = $1 AND kind = $2",
            [.blob(user.octets), .text(UserIncident.push.rawValue)])
    }
}
