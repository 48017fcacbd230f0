import OpenID
import ServerCore
import UAF

/// Columns of `client_grants` and `grant_tokens`.
enum GrantRow {
    private static let columns = """
        id, client_id, user_id, session_id, scopes, ceremony_id, assurance, authenticated_at, evidence, created_at,
        expires_at
        """

    private static let holds = "client_grants.ended_at IS NULL AND " + GivenOut.holds("client_grants")

    static let selectionByID = "SELECT \(columns) FROM client_grants WHERE id = $1 AND \(holds)"

    static let selectionByUser =
        "SELECT \(columns) FROM client_grants WHERE user_id = $1 AND \(holds) ORDER BY created_at, id"

    static let selectionBySession =
        "SELECT \(columns) FROM client_grants WHERE session_id = $1 AND \(holds) ORDER BY created_at, id"

    static let insertion = """
        INSERT INTO client_grants (\(columns), generation)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, \(GivenOut.generation))
        """

    static func arguments(_ grant: Grant) -> [SQLValue] {
        [
            .blob(grant.id.octets), .text(grant.client.text), .blob(grant.userID.octets),
            .blob(optional: grant.session?.octets), .text(ScopeName.text(grant.scopes)),
            .blob(grant.ceremony.octets), .text(grant.assurance.rawValue),
            .integer(grant.authenticatedAt.milliseconds), .blob(grant.evidence.octets),
            .integer(grant.createdAt.milliseconds), .integer(grant.expiresAt.milliseconds),
        ]
    }

    static func grant(_ row: SQLRow) throws(ServerPersistenceError) -> Grant {
        var reader = RowReader(row, table: "client_grants")
        return Grant(
            stored: try reader.blob("id") { GrantID($0) },
            client: try reader.text("client_id") { ClientID($0) },
            userID: try reader.blob("user_id") { UserID($0) },
            session: try reader.optionalBlob("session_id") { BrowserSessionID($0) },
            scopes: try reader.text("scopes") { ScopeName.set(stored: $0) },
            ceremony: try reader.blob("ceremony_id") { CeremonyID($0) },
            assurance: try reader.text("assurance") { Assurance(rawValue: $0) },
            authenticatedAt: Timestamp(milliseconds: try reader.integer("authenticated_at")),
            evidence: try reader.blob("evidence") { RequestAuthorization.Evidence(stored: $0) },
            createdAt: Timestamp(milliseconds: try reader.integer("created_at")),
            expiresAt: Timestamp(milliseconds: try reader.integer("expires_at")))
    }

    // MARK: - Holders

    static let holderByCode = """
        SELECT client_grants.user_id
        FROM authorization_codes JOIN client_grants ON client_grants.id = authorization_codes.grant_id
        WHERE authorization_codes.id = $1
        """

    static let holderByToken = """
        SELECT client_grants.user_id
        FROM grant_tokens JOIN client_grants ON client_grants.id = grant_tokens.grant_id WHERE grant_tokens.id = $1
        """

    static func holder(_ row: SQLRow) throws(ServerPersistenceError) -> UserID {
        var reader = RowReader(row, table: "client_grants")
        return try reader.blob("user_id") { UserID($0) }
    }

    // MARK: - Logins

    /// Finds the clients and sessions of all grants, with the names by which the clients know the users.
    static let logins = """
        SELECT DISTINCT client_grants.client_id, client_grants.session_id, users.external_id
        FROM client_grants JOIN users ON users.id = client_grants.user_id WHERE \(holds)
        """

    /// Message about the end of a login, for its client.
    static func end(_ row: SQLRow, at now: Timestamp) throws(ServerPersistenceError) -> OutgoingMessage {
        var reader = RowReader(row, table: "client_grants")
        let login = ClientLogin(
            client: try reader.text("client_id") { ClientID($0) },
            session: try reader.optionalBlob("session_id") { BrowserSessionID($0) })
        return OutgoingMessage(
            endOf: login, of: try reader.text("external_id") { UserName($0) }, at: now)
    }

    // MARK: - Tokens

    static let tokenSelection = """
        SELECT grant_tokens.id, grant_tokens.grant_id, grant_tokens.kind, grant_tokens.scopes, grant_tokens.created_at,
            grant_tokens.expires_at, grant_tokens.key_thumbprint, grant_tokens.used_at
        FROM grant_tokens JOIN client_grants ON client_grants.id = grant_tokens.grant_id
        WHERE grant_tokens.id = $1 AND \(holds)
        """

    static let tokenInsertion = """
        INSERT INTO grant_tokens (id, grant_id, kind, scopes, created_at, expires_at, used_at, key_thumbprint)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        """

    static func arguments(_ token: GrantToken) -> [SQLValue] {
        [
            .blob(token.hash.octets), .blob(token.grant.octets), .text(token.kind.rawValue),
            .text(ScopeName.text(token.scopes)),
            .integer(token.createdAt.milliseconds), .integer(token.expiresAt.milliseconds),
            .integer(optional: token.usedAt?.milliseconds), .blob(optional: token.key?.octets),
        ]
    }

    static func token(_ row: SQLRow) throws(ServerPersistenceError) -> GrantToken {
        var reader = RowReader(row, table: "grant_tokens")
        return GrantToken(
            hash: try reader.blob("id") { GrantTokenHash(stored: $0) },
            grant: try reader.blob("grant_id") { GrantID($0) },
            kind: try reader.text("kind") { GrantToken.Kind(rawValue: $0) },
            scopes: try reader.text("scopes") { ScopeName.set(stored: $0) },
            createdAt: Timestamp(milliseconds: try reader.integer("created_at")),
            expiresAt: Timestamp(milliseconds: try reader.integer("expires_at")),
            key: try reader.optionalBlob("key_thumbprint") { ClientKeyThumbprint(stored: $0) },
            usedAt: try reader.optionalInteger("used_at").map { Timestamp(milliseconds: $0) })
    }
}
