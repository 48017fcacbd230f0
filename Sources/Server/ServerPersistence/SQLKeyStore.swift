import ServerCore

/// The wrapped keys in SQL.
struct SQLKeyStore: KeyStore {
    let store: SQLStore

    func keys() async throws(ServerError) -> [WrappedKey] {
        try await store.read { connection throws(ServerPersistenceError) in
            try connection.rows("SELECT id, purpose, created_at, active_from, wrapped FROM server_keys", [])
                .map { row throws(ServerPersistenceError) in try Self.key(row) }
        }
    }

    func add(
        _ keys: [WrappedKey], unlessMadeAfter newest: Timestamp?, event: AuditEvent
    ) async throws(ServerError) -> Bool {
        try await store.write(event) { connection throws(ServerPersistenceError) in
            try connection.lock(.keys)
            if let newest {
                for purpose in Set(keys.map(\.purpose)) {
                    guard try !Self.hasKey(purpose, madeAfter: newest, connection) else { return false }
                }
            }
            for key in keys { try Self.insert(key, connection) }
            return true
        }
    }

    private static func hasKey(
        _ purpose: KeyPurpose, madeAfter time: Timestamp, _ connection: any SQLConnection
    ) throws(ServerPersistenceError) -> Bool {
        try connection.row(
            "SELECT 1 FROM server_keys WHERE purpose = $1 AND created_at > $2 LIMIT 1",
            [.text(purpose.rawValue), .integer(time.milliseconds)]) != nil
    }

    func addFirst(_ key: WrappedKey) async throws(ServerError) {
        try await store.write { connection throws(ServerPersistenceError) in
            try connection.lock(.keys)
            let existing = try connection.row(
                "SELECT 1 FROM server_keys WHERE purpose = $1 LIMIT 1", [.text(key.purpose.rawValue)])
            if existing == nil { try Self.insert(key, connection) }
        }
    }

    func remove(_ ids: [ServerKeyID]) async throws(ServerError) {
        try await store.write { connection throws(ServerPersistenceError) in
            for id in ids { try connection.execute("DELETE FROM server_keys WHERE id = $1", [.blob(id.octets)]) }
        }
    }

    func replace(
        with keys: [WrappedKey], restarting time: ServerTimeRecord?, event: AuditEvent
    ) async throws(ServerError) {
        let chain = store.chain
        try await store.writeAlone { connection throws(ServerPersistenceError) in
            try connection.lock(.forgetting)
            try connection.lock(.keys)
            for purpose in Set(keys.map(\.purpose)) {
                try connection.execute("DELETE FROM server_keys WHERE purpose = $1", [.text(purpose.rawValue)])
            }
            for key in keys { try Self.insert(key, connection) }
            // A database that was put back has forgotten what was used or ended since.
            try GivenOut.end(connection, at: event.at)
            if let time { try Self.restart(at: time, connection) }
            try chain.append(event, connection)
        }
    }

    /// Stores the time and resets the watermark: no key opens the challenges of before.
    private static func restart(
        at time: ServerTimeRecord, _ connection: any SQLConnection
    ) throws(ServerPersistenceError) {
        try SQLClockStore.store(time, connection)
        try connection.execute("UPDATE consumption_watermark SET purged_before = 0 WHERE id = 1", [])
    }

    private static func key(_ row: SQLRow) throws(ServerPersistenceError) -> WrappedKey {
        var reader = RowReader(row, table: "server_keys")
        return WrappedKey(
            id: try reader.blob("id") { ServerKeyID($0) },
            purpose: try reader.text("purpose") { KeyPurpose(rawValue: $0) },
            createdAt: Timestamp(milliseconds: try reader.integer("created_at")),
            activeFrom: Timestamp(milliseconds: try reader.integer("active_from")),
            wrapped: try reader.blob("wrapped"))
    }

    private static func insert(_ key: WrappedKey, _ connection: any SQLConnection) throws(ServerPersistenceError) {
        try connection.execute(
            "INSERT INTO server_keys (id, purpose, created_at, active_from, wrapped) VALUES ($1, $2, $3, $4, $5)",
            [
                .blob(key.id.octets), .text(key.purpose.rawValue), .integer(key.createdAt.milliseconds),
                .integer(key.activeFrom.milliseconds), .blob(key.wrapped),
            ])
    }
}
