import ServerCore

/// Progress of imports.
extension SQLTransaction {
    func importProgress(of file: String) throws(ServerTransactionFailure) -> ImportProgress? {
        try row("SELECT entries, counts, begun_at, ended_at FROM imports WHERE id = $1", [.text(file)]) {
            row throws(ServerPersistenceError) -> ImportProgress in
            var reader = RowReader(row, table: "imports")
            let progress = ImportProgress(
                entries: Int(try reader.integer("entries")), counts: try reader.text("counts"),
                begunAt: Timestamp(milliseconds: try reader.integer("begun_at")),
                endedAt: try reader.optionalInteger("ended_at").map { Timestamp(milliseconds: $0) })
            guard let progress else { throw .corruptRow(table: "imports", column: "counts") }
            return progress
        }
    }

    func set(
        _ progress: ImportProgress, ofImport file: String, after known: Int
    ) throws(ServerTransactionFailure) -> Bool {
        try execute(
            """
            INSERT INTO imports (id, entries, counts, begun_at, ended_at) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (id) DO UPDATE SET entries = $2, counts = $3, ended_at = $5
            WHERE imports.entries = $6 AND imports.ended_at IS NULL
            """,
            [
                .text(file), .integer(Int64(progress.entries)), .text(progress.countsText),
                .integer(progress.begunAt.milliseconds), .integer(optional: progress.endedAt?.milliseconds),
                .integer(Int64(known)),
            ]) == 1
    }
}
