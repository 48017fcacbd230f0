import OpenID
import ServerCore

/// Columns of `authorization_sessions` and `authorization_codes`.
enum AuthorizationRow {
    static let sessionSelection = """
        SELECT id, browser, parameters, stage, ceremony_id, round, created_at, expires_at, network
        FROM authorization_sessions WHERE id = $1 AND \(GivenOut.holds("authorization_sessions"))
        """

    static let sessionInsertion = """
        INSERT INTO authorization_sessions
            (id, browser, client_id, parameters, stage, ceremony_id, round, created_at, expires_at, network, generation)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, \(GivenOut.generation))
        """

    static func arguments(_ session: AuthorizationSession) -> [SQLValue] {
        [
            .blob(session.id.octets), .blob(session.browser.octets), .text(session.parameters.client.text),
            .text(AuthorizationRecord(session.parameters).text), .text(word(session.stage)),
            .blob(optional: session.stage.ceremony?.octets), .integer(Int64(session.round)),
            .integer(session.createdAt.milliseconds), .integer(session.expiresAt.milliseconds), .text(session.network),
        ]
    }

    static func session(_ row: SQLRow) throws(ServerPersistenceError) -> AuthorizationSession {
        var reader = RowReader(row, table: "authorization_sessions")
        let id = try reader.blob("id") { AuthorizationSessionID($0) }
        let browser = try reader.blob("browser") { BrowserHash(stored: $0) }
        let record = try reader.text("parameters") { AuthorizationRecord(stored: $0) }
        let word = try reader.text("stage")
        let ceremony = try reader.optionalBlob("ceremony_id") { CeremonyID($0) }
        guard let stage = stage(word, ceremony) else {
            throw .corruptRow(table: "authorization_sessions", column: "stage")
        }
        return AuthorizationSession(
            id: id, browser: browser, parameters: record.parameters, stage: stage,
            round: try reader.integer("round") { Int(exactly: $0) },
            createdAt: Timestamp(milliseconds: try reader.integer("created_at")),
            expiresAt: Timestamp(milliseconds: try reader.integer("expires_at")), network: try reader.text("network"))
    }

    // MARK: - Strangers

    static func openSelection(_ kind: OpenRequest.Kind) -> String {
        switch kind {
        case .page:
            "SELECT id, network, expires_at FROM authorization_sessions WHERE expires_at > $1 AND \(isUnconfirmed)"
        case .pushed:
            "SELECT id, network, expires_at FROM pushed_requests WHERE expires_at > $1 AND network IS NOT NULL"
        }
    }

    /// Condition of a session that no phone has confirmed.
    private static let isUnconfirmed = """
        NOT EXISTS (
            SELECT 1 FROM operations
            WHERE operations.id = authorization_sessions.ceremony_id AND operations.status = 'succeeded')
        """

    static func removal(_ kind: OpenRequest.Kind) -> String {
        switch kind {
        case .page: "DELETE FROM authorization_sessions WHERE id = $1 AND \(isUnconfirmed)"
        case .pushed: "DELETE FROM pushed_requests WHERE id = $1"
        }
    }

    static func openRequest(_ row: SQLRow) throws(ServerPersistenceError) -> OpenRequest {
        var reader = RowReader(row, table: "authorization_sessions")
        return OpenRequest(
            id: try reader.blob("id"), network: try reader.text("network"),
            expiresAt: Timestamp(milliseconds: try reader.integer("expires_at")))
    }

    // MARK: - Stages

    static func word(_ stage: AuthorizationSession.Stage) -> String {
        switch stage {
        case .open: "open"
        case .confirming: "confirming"
        case .finished: "finished"
        }
    }

    private static func stage(_ word: String, _ ceremony: CeremonyID?) -> AuthorizationSession.Stage? {
        switch (word, ceremony) {
        case ("open", nil): .open
        // The version before wrote down that a phone had confirmed.
        case ("confirming", let id?), ("confirmed", let id?): .confirming(id)
        case ("finished", nil): .finished
        default: nil
        }
    }

    // MARK: - Codes

    static let codeSelection = """
        SELECT id, grant_id, client_id, redirect, code_challenge, key_thumbprint, nonce, expires_at
        FROM authorization_codes WHERE id = $1
        """

    static let codeInsertion = """
        INSERT INTO authorization_codes
            (id, grant_id, client_id, redirect, code_challenge, nonce, expires_at, key_thumbprint)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        """

    /// Stored for a code whose request has brought no challenge; no verifier has such a digest.
    private static let noChallenge: [UInt8] = []

    static func arguments(_ code: AuthorizationCode) -> [SQLValue] {
        [
            .blob(code.hash.octets), .blob(code.grant.octets), .text(code.client.text), .text(code.redirect.text),
            .blob(code.codeChallenge ?? noChallenge), .text(optional: code.nonce),
            .integer(code.expiresAt.milliseconds), .blob(optional: code.key?.octets),
        ]
    }

    static func code(_ row: SQLRow) throws(ServerPersistenceError) -> AuthorizationCode {
        var reader = RowReader(row, table: "authorization_codes")
        let hash = try reader.blob("id") { AuthorizationCodeHash(stored: $0) }
        let grant = try reader.blob("grant_id") { GrantID($0) }
        let client = try reader.text("client_id") { ClientID($0) }
        let redirect = try reader.text("redirect") { RedirectAddress($0) }
        let challenge = try reader.blob("code_challenge")
        let key = try reader.optionalBlob("key_thumbprint") { ClientKeyThumbprint(stored: $0) }
        return AuthorizationCode(
            hash: hash, grant: grant, client: client, redirect: redirect,
            codeChallenge: challenge == noChallenge ? nil : challenge, key: key,
            nonce: try reader.optionalText("nonce"),
            expiresAt: Timestamp(milliseconds: try reader.integer("expires_at")))
    }
}
