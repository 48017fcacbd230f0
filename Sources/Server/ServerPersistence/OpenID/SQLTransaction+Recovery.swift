import OpenID
import ServerCore

/// Recovery codes, and ways back without a phone.
extension SQLTransaction {
    private static let columns =
        "user_id, cookie, code, begun_at, opens_at, expires_at, holds_since, ceremony_id"
    private static let isOfGeneration = GivenOut.isOfGeneration("recoveries")

    func recoveryCodes(of user: UserID) throws(ServerTransactionFailure) -> (count: Int, createdAt: Timestamp)? {
        let times = try rows("SELECT created_at FROM recovery_codes WHERE user_id = $1", [.blob(user.octets)]) {
            row throws(ServerPersistenceError) in
            var reader = RowReader(row, table: "recovery_codes")
            return Timestamp(milliseconds: try reader.integer("created_at"))
        }
        return times.max().map { (count: times.count, createdAt: $0) }
    }

    func setRecoveryCodes(
        _ codes: [RecoveryCodeHash], of user: UserID, at time: Timestamp
    ) throws(ServerTransactionFailure) {
        try enqueue("DELETE FROM recovery_codes WHERE user_id = $1", [.blob(user.octets)])
        for code in codes {
            try enqueue(
                "INSERT INTO recovery_codes (user_id, hash, created_at) VALUES ($1, $2, $3)",
                [.blob(user.octets), .blob(code.octets), .integer(time.milliseconds)])
        }
    }

    func useRecoveryCode(_ code: RecoveryCodeHash, of user: UserID) throws(ServerTransactionFailure) -> Bool {
        try execute(
            "DELETE FROM recovery_codes WHERE user_id = $1 AND hash = $2", [.blob(user.octets), .blob(code.octets)])
            == 1
    }

    func recovery(of user: UserID) throws(ServerTransactionFailure) -> Recovery? {
        try row(
            "SELECT \(Self.columns) FROM recoveries WHERE user_id = $1 AND \(Self.isOfGeneration)" + held,
            [.blob(user.octets)], as: Self.recovery)
    }

    func recovery(_ cookie: RecoveryCookieHash) throws(ServerTransactionFailure) -> Recovery? {
        try row(
            "SELECT \(Self.columns) FROM recoveries WHERE cookie = $1 AND \(Self.isOfGeneration)" + held,
            [.blob(cookie.octets)], as: Self.recovery)
    }

    func set(_ recovery: Recovery) throws(ServerTransactionFailure) {
        try enqueue(
            """
            INSERT INTO recoveries (\(Self.columns), generation)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, \(GivenOut.generation))
            ON CONFLICT (user_id) DO UPDATE SET cookie = $2, code = $3, begun_at = $4, opens_at = $5, expires_at = $6,
                holds_since = $7, ceremony_id = $8, generation = \(GivenOut.generation)
            """,
            [
                .blob(recovery.userID.octets), .blob(optional: recovery.cookie?.octets),
                .blob(optional: recovery.code?.octets), .integer(recovery.begunAt.milliseconds),
                .integer(recovery.opensAt.milliseconds), .integer(recovery.expiresAt.milliseconds),
                .integer(recovery.holdsSince.milliseconds), .blob(optional: recovery.ceremony?.octets),
            ])
    }

    func removeRecovery(of user: UserID) throws(ServerTransactionFailure) -> Bool {
        try execute("DELETE FROM recoveries WHERE user_id = $1", [.blob(user.octets)]) == 1
    }

    private static func recovery(_ row: SQLRow) throws(ServerPersistenceError) -> Recovery {
        var reader = RowReader(row, table: "recoveries")
        return Recovery(
            userID: try reader.blob("user_id") { UserID($0) },
            cookie: try reader.optionalBlob("cookie") { RecoveryCookieHash(stored: $0) },
            code: try reader.optionalBlob("code") { RecoveryCodeHash(stored: $0) },
            begunAt: Timestamp(milliseconds: try reader.integer("begun_at")),
            opensAt: Timestamp(milliseconds: try reader.integer("opens_at")),
            expiresAt: Timestamp(milliseconds: try reader.integer("expires_at")),
            holdsSince: Timestamp(milliseconds: try reader.integer("holds_since")),
            ceremony: try reader.optionalBlob("ceremony_id") { CeremonyID($0) })
    }
}
