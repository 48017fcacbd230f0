import ServerCore

/// Server time in SQL.
struct SQLClockStore: ClockStore {
    let store: SQLStore

    func advance(
        _ process: ProcessClock?, _ rule: @escaping @Sendable (ServerTimeRecord?, Timestamp) -> ServerTimeRecord
    ) async throws(ServerError) -> (record: ServerTimeRecord, others: [ProcessClock]) {
        let result = try await store.write { connection throws(ServerPersistenceError) in
            try connection.lock(.clock)
            let record = rule(try Self.record(connection), try Self.mark(connection))
            try Self.store(record, connection)
            if let process { try Self.store(process, connection) }
            return (record: record, others: try Self.processes(besides: process, connection))
        }
        store.health.probeSucceeded()
        return result
    }

    func forget(_ instance: String) async throws(ServerError) {
        try await store.write { connection throws(ServerPersistenceError) in
            _ = try connection.execute("DELETE FROM process_clocks WHERE instance = $1", [.text(instance)])
        }
    }

    func forget(heardBefore time: Timestamp, limit: Int) async throws(ServerError) -> Int {
        try await store.write { connection throws(ServerPersistenceError) in
            try OldestRows(table: "process_clocks", column: "wall_time").delete(before: time, limit: limit, connection)
        }
    }

    private static func store(
        _ process: ProcessClock, _ connection: any SQLConnection
    ) throws(ServerPersistenceError) {
        try connection.execute(
            """
            INSERT INTO process_clocks (instance, wall_time, start_id, since_start) VALUES ($1, $2, $3, $4)
            ON CONFLICT (instance) DO UPDATE SET wall_time = $2, start_id = $3, since_start = $4
            """,
            [
                .text(process.instance), .integer(process.wall.milliseconds), .text(process.startID),
                .integer(process.sinceStart.wholeMilliseconds),
            ])
    }

    private static func processes(
        besides own: ProcessClock?, _ connection: any SQLConnection
    ) throws(ServerPersistenceError) -> [ProcessClock] {
        let rows = try connection.rows(
            "SELECT instance, wall_time, start_id, since_start FROM process_clocks WHERE instance <> $1",
            [.text(own?.instance ?? "")])
        return try rows.map { row throws(ServerPersistenceError) in
            var reader = RowReader(row, table: "process_clocks")
            return ProcessClock(
                instance: try reader.text("instance"), wall: Timestamp(milliseconds: try reader.integer("wall_time")),
                startID: try reader.text("start_id"), sinceStart: .milliseconds(try reader.integer("since_start")))
        }
    }

    static func store(_ record: ServerTimeRecord, _ connection: any SQLConnection) throws(ServerPersistenceError) {
        try connection.execute(
            """
            INSERT INTO server_clock (id, server_time, start_id, since_start) VALUES (1, $1, $2, $3)
            ON CONFLICT (id) DO UPDATE SET server_time = $1, start_id = $2, since_start = $3
            """,
            [
                .integer(record.time.milliseconds), .text(record.startID),
                .integer(record.sinceStart.wholeMilliseconds),
            ])
    }

    private static func record(_ connection: any SQLConnection) throws(ServerPersistenceError) -> ServerTimeRecord? {
        let row = try connection.row("SELECT server_time, start_id, since_start FROM server_clock WHERE id = 1", [])
        guard let row else { return nil }
        var reader = RowReader(row, table: "server_clock")
        return ServerTimeRecord(
            time: Timestamp(milliseconds: try reader.integer("server_time")), startID: try reader.text("start_id"),
            sinceStart: .milliseconds(try reader.integer("since_start")))
    }

    private static func mark(_ connection: any SQLConnection) throws(ServerPersistenceError) -> Timestamp {
        guard let row = try connection.row("SELECT purged_before FROM consumption_watermark WHERE id = 1", []) else {
            return Timestamp(milliseconds: 0)
        }
        var reader = RowReader(row, table: "consumption_watermark")
        return Timestamp(milliseconds: try reader.integer("purged_before"))
    }
}
