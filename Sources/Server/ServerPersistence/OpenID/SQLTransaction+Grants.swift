import OpenID
import ServerCore

/// Grants, their tokens, and sessions of browsers at the provider.
extension SQLTransaction {
    func grant(_ id: GrantID) throws(ServerTransactionFailure) -> Grant? {
        try row(GrantRow.selectionByID + held, [.blob(id.octets)], as: GrantRow.grant)
    }

    func grants(of user: UserID) throws(ServerTransactionFailure) -> [Grant] {
        try rows(GrantRow.selectionByUser + held, [.blob(user.octets)], as: GrantRow.grant)
    }

    func grants(in session: BrowserSessionID) throws(ServerTransactionFailure) -> [Grant] {
        try rows(GrantRow.selectionBySession + held, [.blob(session.octets)], as: GrantRow.grant)
    }

    func grantToken(_ hash: GrantTokenHash) throws(ServerTransactionFailure) -> GrantToken? {
        try row(GrantRow.tokenSelection + held, [.blob(hash.octets)], as: GrantRow.token)
    }

    func holder(ofCode hash: AuthorizationCodeHash) throws(ServerTransactionFailure) -> UserID? {
        try row(GrantRow.holderByCode, [.blob(hash.octets)], as: GrantRow.holder)
    }

    func holder(ofToken hash: GrantTokenHash) throws(ServerTransactionFailure) -> UserID? {
        try row(GrantRow.holderByToken, [.blob(hash.octets)], as: GrantRow.holder)
    }

    func insert(_ grant: Grant) throws(ServerTransactionFailure) {
        try enqueue(GrantRow.insertion, GrantRow.arguments(grant))
    }

    func prolong(_ grant: GrantID, until end: Timestamp) throws(ServerTransactionFailure) {
        try enqueue(
            "UPDATE client_grants SET expires_at = $1 WHERE id = $2 AND expires_at < $1",
            [.integer(end.milliseconds), .blob(grant.octets)])
    }

    func endGrants(_ ids: [GrantID], at now: Timestamp) throws(ServerTransactionFailure) -> Int {
        // Codes stay, so that one that comes again is known as used; without their grant they are worth nothing.
        var count = 0
        for start in stride(from: 0, to: ids.count, by: Self.grantLimit) {
            let piece = ids[start..<min(start + Self.grantLimit, ids.count)]
            let places = (2..<piece.count + 2).map { "$\($0)" }.joined(separator: ", ")
            count += try execute(
                "UPDATE client_grants SET ended_at = $1 WHERE ended_at IS NULL AND id IN (\(places))",
                [.integer(now.milliseconds)] + piece.map { .blob($0.octets) })
        }
        return count
    }

    /// Grants that one statement ends.
    private static var grantLimit: Int { 5_000 }

    func insert(_ token: GrantToken) throws(ServerTransactionFailure) {
        try enqueue(GrantRow.tokenInsertion, GrantRow.arguments(token))
    }

    func useRefreshToken(_ hash: GrantTokenHash, at now: Timestamp) throws(ServerTransactionFailure) -> Bool {
        try execute(
            "UPDATE grant_tokens SET used_at = $1 WHERE id = $2 AND kind = 'refresh' AND used_at IS NULL",
            [.integer(now.milliseconds), .blob(hash.octets)]) == 1
    }

    func browserSession(_ cookie: ProviderCookieHash) throws(ServerTransactionFailure) -> BrowserSession? {
        try row(BrowserSessionRow.selectionByCookie + held, [.blob(cookie.octets)], as: BrowserSessionRow.session)
    }

    func browserSessions(of user: UserID) throws(ServerTransactionFailure) -> [BrowserSession] {
        try rows(BrowserSessionRow.selectionByUser + held, [.blob(user.octets)], as: BrowserSessionRow.session)
    }

    func insert(_ session: BrowserSession) throws(ServerTransactionFailure) {
        try enqueue(BrowserSessionRow.insertion, BrowserSessionRow.arguments(session))
    }

    func removeBrowserSession(_ id: BrowserSessionID) throws(ServerTransactionFailure) -> Bool {
        try execute("DELETE FROM provider_sessions WHERE id = $1", [.blob(id.octets)]) == 1
    }

    func removeAuthorizationRows(expiredBefore time: Timestamp, limit: Int) throws(ServerTransactionFailure) -> Int {
        let tables: [StaticString] = [
            "client_assertions", "pushed_requests", "authorization_sessions", "authorization_codes", "grant_tokens",
            "provider_sessions", "client_grants", "recoveries", "passkey_offers",
        ]
        return try passed { () throws(ServerPersistenceError) in
            var removed = 0
            for table in tables {
                removed += try OldestRows(table: table, column: "expires_at")
                    .delete(before: time, limit: limit, connection)
            }
            return removed
        }
    }
}
