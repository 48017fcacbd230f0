import ServerCore
import UAF

/// The distribution of decoys in SQL.
struct SQLDecoyStatistics: DecoyStatistics {
    let store: SQLStore

    func sample(limit: Int) async throws(ServerError) -> [[AAID]] {
        try await store.read { connection throws(ServerPersistenceError) in
            let rows = try connection.rows(
                """
                SELECT user_id, aaid FROM credentials WHERE status = 'active'
                ORDER BY user_id, registered_at, registration_id LIMIT $1
                """, [.integer(Int64(limit))])
            var users: [[AAID]] = []
            var last: UserID?
            for row in rows {
                var reader = RowReader(row, table: "credentials")
                let user = try reader.blob("user_id") { UserID($0) }
                let aaid = try reader.text("aaid") { AAID($0) }
                if user == last { users[users.count - 1].append(aaid) } else { users.append([aaid]) }
                last = user
            }
            // The keys of the last user may be cut off.
            return rows.count == limit ? users.dropLast() : users
        }
    }

    func distribution() async throws(ServerError) -> DecoyStatisticsRecord? {
        try await store.read { connection throws(ServerPersistenceError) in
            var profiles: [DecoyDistribution.Profile] = []
            var refreshedAt: Int64?
            for row in try connection.rows("SELECT models, slots, refreshed_at FROM decoy_profiles", []) {
                var reader = RowReader(row, table: "decoy_profiles")
                let models = try reader.text("models") { text -> [AAID]? in
                    let models = text.split(separator: " ").compactMap { AAID(String($0)) }
                    return models.isEmpty ? nil : models
                }
                let slots = try reader.integer("slots") { (1...1_024).contains($0) ? Int($0) : nil }
                refreshedAt = try reader.integer("refreshed_at")
                profiles.append(DecoyDistribution.Profile(models: models, slots: slots))
            }
            return refreshedAt.map {
                DecoyStatisticsRecord(DecoyDistribution(profiles), refreshedAt: Timestamp(milliseconds: $0))
            }
        }
    }

    func keep(_ distribution: DecoyDistribution, at now: Timestamp) async throws(ServerError) {
        try await store.write { connection throws(ServerPersistenceError) in
            try connection.lock(.decoys)
            try connection.enqueue("DELETE FROM decoy_profiles", [])
            for profile in distribution.profiles {
                try connection.enqueue(
                    "INSERT INTO decoy_profiles (models, slots, refreshed_at) VALUES ($1, $2, $3)",
                    [.text(profile.text), .integer(Int64(profile.slots)), .integer(now.milliseconds)])
            }
        }
    }
}
