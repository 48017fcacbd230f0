import ServerCore

/// The audit in SQL.
struct SQLAuditLog: AuditLog {
    let store: SQLStore

    func prove(with key: AuditKey) { store.ownChain.key.hold(key) }

    func heads() async throws(ServerError) -> String? {
        try await store.read { connection throws(ServerPersistenceError) in
            guard let row = try connection.row("SELECT statement FROM audit_heads WHERE id = 1", []) else { return nil }
            var reader = RowReader(row, table: "audit_heads")
            return try reader.text("statement")
        }
    }

    func setHeads(
        _ statement: String, replacing known: String?, closing day: AuditDay?
    ) async throws(ServerError) -> Bool {
        try await store.write { connection throws(ServerPersistenceError) in
            guard let known else {
                return try connection.execute(
                    "INSERT INTO audit_heads (id, statement) VALUES (1, $1) ON CONFLICT DO NOTHING",
                    [.text(statement)]) == 1
            }
            let isSet =
                try connection.execute(
                    "UPDATE audit_heads SET statement = $1 WHERE id = 1 AND statement = $2",
                    [.text(statement), .text(known)]) == 1
            if isSet, let day {
                try connection.execute(
                    "INSERT INTO audit_days (day, statement) VALUES ($1, $2) ON CONFLICT DO NOTHING",
                    [.text(day.text), .text(known)])
            }
            return isSet
        }
    }

    func heads(of day: AuditDay) async throws(ServerError) -> String? {
        try await self.day("SELECT day, statement FROM audit_days WHERE day = $1", day)?.statement
    }

    func heads(before day: AuditDay) async throws(ServerError) -> (day: AuditDay, statement: String)? {
        try await self.day(
            "SELECT day, statement FROM audit_days WHERE day < $1 ORDER BY day DESC LIMIT 1", day)
    }

    private func day(
        _ query: String, _ day: AuditDay
    ) async throws(ServerError) -> (day: AuditDay, statement: String)? {
        try await store.read { connection throws(ServerPersistenceError) in
            guard let row = try connection.row(query, [.text(day.text)]) else { return nil }
            var reader = RowReader(row, table: "audit_days")
            let day = try reader.text("day") { AuditDay($0) }
            return (day, try reader.text("statement"))
        }
    }

    func forgetDays(before day: AuditDay) async throws(ServerError) {
        try await store.write { connection throws(ServerPersistenceError) in
            _ = try connection.execute("DELETE FROM audit_days WHERE day < $1", [.text(day.text)])
        }
    }

    func append(_ event: AuditEvent) async throws(ServerError) {
        _ = try await store.write(event) { _ in true }
    }

    func chains() async throws(ServerError) -> [String] {
        try await store.read { connection throws(ServerPersistenceError) in
            var chains: [String] = []
            // One look-up for each chain: there are few, and the records of all are many.
            while let chain = try Self.chain(after: chains.last ?? "", connection) { chains.append(chain) }
            return chains
        }
    }

    private static func chain(
        after name: String, _ connection: any SQLConnection
    ) throws(ServerPersistenceError) -> String? {
        let row = try connection.row(
            "SELECT chain_id FROM audit_records WHERE chain_id > $1 ORDER BY chain_id LIMIT 1", [.text(name)])
        guard let row else { return nil }
        var reader = RowReader(row, table: "audit_records")
        return try reader.text("chain_id")
    }

    func start(of chain: String) async throws(ServerError) -> AuditRecord.Head? {
        try await store.read { connection throws(ServerPersistenceError) in
            try Self.head(
                connection.row("SELECT sequence, hash FROM audit_starts WHERE chain_id = $1", [.text(chain)]))
        }
    }

    func end(of chain: String) async throws(ServerError) -> AuditRecord.Head? {
        try await store.read { connection throws(ServerPersistenceError) in
            try Self.head(
                connection.row(
                    "SELECT sequence, hash FROM audit_records WHERE chain_id = $1 ORDER BY sequence DESC LIMIT 1",
                    [.text(chain)]))
        }
    }

    func lastRecord(
        of chain: String, before time: Timestamp, after sequence: Int64, limit: Int
    ) async throws(ServerError) -> (head: AuditRecord.Head?, isLast: Bool) {
        let rows = try await store.read { connection throws(ServerPersistenceError) in
            try connection.rows(
                """
                SELECT sequence, hash, recorded_at FROM audit_records
                WHERE chain_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3
                """, [.text(chain), .integer(sequence), .integer(Int64(limit))]
            )
            .map { row throws(ServerPersistenceError) in try Self.timedHead(row) }
        }
        let old = rows.prefix { $0.recordedAt < time }
        return (head: old.last { $0.head != nil }?.head, isLast: old.count < limit)
    }

    private static func timedHead(
        _ row: SQLRow
    ) throws(ServerPersistenceError) -> (head: AuditRecord.Head?, recordedAt: Timestamp) {
        var reader = RowReader(row, table: "audit_records")
        let sequence = try reader.integer("sequence")
        let hash = try? reader.blob("hash") { AuditHash(stored: $0) }
        let recordedAt = Timestamp(milliseconds: try reader.integer("recorded_at"))
        return (head: hash.map { AuditRecord.Head(sequence: sequence, hash: $0) }, recordedAt: recordedAt)
    }

    func seal(_ chain: String, after head: AuditRecord.Head, event: AuditEvent) async throws(ServerError) {
        let own = store.chain
        try await store.write { connection throws(ServerPersistenceError) in
            try connection.execute(
                """
                INSERT INTO audit_starts (chain_id, sequence, hash) VALUES ($1, $2, $3)
                ON CONFLICT (chain_id) DO UPDATE SET sequence = $2, hash = $3
                """, [.text(chain), .integer(head.sequence), .blob(head.hash.octets)])
            try AuditChain(id: chain, actor: own.actor, key: own.key, act: own.act).append(event, connection)
        }
    }

    func deletePruned(of chain: String, limit: Int) async throws(ServerError) -> Int {
        try await store.write { connection throws(ServerPersistenceError) in
            try connection.execute(
                """
                DELETE FROM audit_records WHERE chain_id = $1 AND sequence IN (
                    SELECT audit_records.sequence FROM audit_records
                    JOIN audit_starts ON audit_starts.chain_id = audit_records.chain_id
                    WHERE audit_records.chain_id = $1 AND audit_records.sequence <= audit_starts.sequence
                    ORDER BY audit_records.sequence LIMIT $2
                )
                """, [.text(chain), .integer(Int64(limit))])
        }
    }

    private static func head(_ row: SQLRow?) throws(ServerPersistenceError) -> AuditRecord.Head? {
        guard let row else { return nil }
        var reader = RowReader(row, table: "audit_records")
        let sequence = try reader.integer("sequence")
        let hash = try? reader.blob("hash") { AuditHash(stored: $0) }
        return AuditRecord.Head(sequence: sequence, hash: hash ?? AuditRecord.origin)
    }

    func records(
        of chain: String, after sequence: Int64, limit: Int
    ) async throws(ServerError) -> [AuditRecord] {
        try await records(
            """
            SELECT sequence, event, previous_hash, hash, proof FROM audit_records
            WHERE chain_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3
            """, of: chain, sequence, limit)
    }

    func records(
        of chain: String, before sequence: Int64, limit: Int
    ) async throws(ServerError) -> [AuditRecord] {
        try await records(
            """
            SELECT sequence, event, previous_hash, hash, proof FROM audit_records
            WHERE chain_id = $1 AND sequence < $2 ORDER BY sequence DESC LIMIT $3
            """, of: chain, sequence, limit)
    }

    static let subjectQuery = "SELECT key, erased_at FROM audit_subjects WHERE user_id = $1"

    /// The person in a row of ``subjectQuery``; nil for one who has neither a key nor a time of erasure.
    static func subject(_ row: SQLRow) throws(ServerPersistenceError) -> AuditSubject? {
        var reader = RowReader(row, table: "audit_subjects")
        if let key = try reader.optionalBlob("key", as: { AuditSubjectKey($0) }) { return .key(key) }
        return try reader.optionalInteger("erased_at").map { .erased(at: Timestamp(milliseconds: $0)) }
    }

    func subjects(_ users: Set<UserID>) async throws(ServerError) -> [UserID: AuditSubject] {
        let users = Array(users)
        return try await store.read { connection throws(ServerPersistenceError) in
            let results = try connection.results(of: users.map { SQLQuery(Self.subjectQuery, [.blob($0.octets)]) })
            var subjects: [UserID: AuditSubject] = [:]
            for (user, rows) in zip(users, results) {
                if let row = rows.first { subjects[user] = try Self.subject(row) }
            }
            return subjects
        }
    }

    private func records(
        _ query: String, of chain: String, _ sequence: Int64, _ limit: Int
    ) async throws(ServerError) -> [AuditRecord] {
        try await store.read { connection throws(ServerPersistenceError) in
            try connection.rows(query, [.text(chain), .integer(sequence), .integer(Int64(limit))])
                .map { row throws(ServerPersistenceError) in try Self.record(row, of: chain) }
        }
    }

    /// The row as far as it can be read, so that a damaged one hides no other.
    private static func record(_ row: SQLRow, of chain: String) throws(ServerPersistenceError) -> AuditRecord {
        var reader = RowReader(row, table: "audit_records")
        let sequence = try reader.integer("sequence")
        let event = try? reader.blob("event")
        let previous = try? reader.blob("previous_hash") { AuditHash(stored: $0) }
        let hash = try? reader.blob("hash") { AuditHash(stored: $0) }
        let proof = try? reader.optionalBlob("proof")
        let columns = ["event": event == nil, "previous_hash": previous == nil, "hash": hash == nil]
        let unreadable = columns.filter { $0.value }.keys.sorted()
        return AuditRecord(
            chainID: chain, sequence: sequence, event: event ?? Self.text(row.values[1]),
            previousHash: previous ?? AuditRecord.origin, hash: hash ?? AuditRecord.origin,
            proof: proof ?? nil,
            damage: unreadable.isEmpty ? nil : .init("it cannot be read (\(unreadable.joined(separator: ", ")))"))
    }

    private static func text(_ value: SQLValue) -> [UInt8] {
        if case .text(let text) = value { Array(text.utf8) } else { [] }
    }
}
