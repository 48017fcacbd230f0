/// Statement of what a backup holds, as a table of the backup itself.
package enum BackupManifest {
    /// Name of the table; no other database has it.
    static let table = "backup_manifest"

    package static func text(in backup: any SQLDatabase) async throws(ServerPersistenceError) -> String? {
        try await backup.read { connection throws(ServerPersistenceError) in
            guard try connection.row(connection.dialect.tableQuery, [.text(table)]) != nil,
                let row = try connection.row("SELECT content FROM \(table) WHERE id = 1", [])
            else { return nil }
            var reader = RowReader(row, table: table)
            return try reader.text("content")
        }
    }

    package static func write(_ text: String, to backup: any SQLDatabase) async throws(ServerPersistenceError) {
        try await backup.transaction { connection throws(ServerPersistenceError) in
            _ = try connection.execute(
                "CREATE TABLE \(table) (id BIGINT PRIMARY KEY, content TEXT NOT NULL)", [])
            _ = try connection.execute("INSERT INTO \(table) (id, content) VALUES (1, $1)", [.text(text)])
        }
    }

    /// Takes the statement away: the backup becomes a database of a server again.
    package static func remove(from backup: any SQLDatabase) async throws(ServerPersistenceError) {
        try await backup.transaction { connection throws(ServerPersistenceError) in
            _ = try connection.execute("DROP TABLE \(table)", [])
        }
    }
}
