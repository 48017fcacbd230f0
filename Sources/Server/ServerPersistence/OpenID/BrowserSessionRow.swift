import OpenID
import ServerCore

/// Columns of `provider_sessions`.
enum BrowserSessionRow {
    private static let columns =
        "id, cookie, user_id, ceremony_id, assurance, authenticated_at, evidence, expires_at, device_binding"

    static let selectionByCookie = "SELECT \(columns) FROM provider_sessions WHERE cookie = $1 AND \(isOfGeneration)"

    static let selectionByUser = """
        SELECT \(columns) FROM provider_sessions WHERE user_id = $1 AND \(isOfGeneration) ORDER BY expires_at, id
        """

    private static let isOfGeneration = GivenOut.isOfGeneration("provider_sessions")

    static let insertion = """
        INSERT INTO provider_sessions (\(columns), generation)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, \(GivenOut.generation))
        """

    static func arguments(_ session: BrowserSession) -> [SQLValue] {
        [
            .blob(session.id.octets), .blob(session.cookie.octets), .blob(session.userID.octets),
            .blob(session.ceremony.octets), .text(session.assurance.rawValue),
            .integer(session.authenticatedAt.milliseconds), .blob(session.evidence.octets),
            .integer(session.expiresAt.milliseconds), binding(session.binding),
        ]
    }

    private static func binding(_ binding: SessionBinding) -> SQLValue {
        switch binding {
        case .none: .null
        case .key(let key): .blob(key.octets)
        }
    }

    static func session(_ row: SQLRow) throws(ServerPersistenceError) -> BrowserSession {
        var reader = RowReader(row, table: "provider_sessions")
        return BrowserSession(
            id: try reader.blob("id") { BrowserSessionID($0) },
            cookie: try reader.blob("cookie") { ProviderCookieHash(stored: $0) },
            userID: try reader.blob("user_id") { UserID($0) },
            ceremony: try reader.blob("ceremony_id") { CeremonyID($0) },
            assurance: try reader.text("assurance") { Assurance(rawValue: $0) },
            authenticatedAt: Timestamp(milliseconds: try reader.integer("authenticated_at")),
            evidence: try reader.blob("evidence") { RequestAuthorization.Evidence(stored: $0) },
            expiresAt: Timestamp(milliseconds: try reader.integer("expires_at")),
            binding: try reader.optionalBlob("device_binding") { BoundKey(stored: $0) }.map { .key($0) } ?? .none)
    }
}
