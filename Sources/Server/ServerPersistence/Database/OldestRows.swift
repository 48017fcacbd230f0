import ServerCore

/// The oldest rows of a table, which are forgotten piece by piece.
struct OldestRows {
    let table: StaticString
    /// The indexed column with the time of a row.
    let column: StaticString
    /// Further condition on a row, such as `status = 'failed'`.
    var condition: StaticString = "1 = 1"

    /// Deletes some `limit` rows before `time`, and those as old as the last of them; returns how many.
    func delete(
        before time: Timestamp, limit: Int, _ connection: any SQLConnection
    ) throws(ServerPersistenceError) -> Int {
        try connection.execute(
            """
            DELETE FROM \(table) WHERE \(condition) AND \(column) <= (
                SELECT MAX(oldest.at) FROM (
                    SELECT \(column) AS at FROM \(table) WHERE \(condition) AND \(column) < $1
                    ORDER BY \(column) LIMIT $2
                ) AS oldest
            )
            """, [.integer(time.milliseconds), .integer(Int64(limit))])
    }
}
