import OpenID
import ServerCore

/// Clients of the database, and the JWTs by which clients have proved themselves.
extension SQLTransaction {
    func clients() throws(ServerTransactionFailure) -> [(client: RegisteredClient, isDisabled: Bool)] {
        try rows(
            """
            SELECT clients.id, clients.content, COALESCE(client_states.is_disabled, 0)
            FROM clients LEFT JOIN client_states ON client_states.id = clients.id ORDER BY clients.id
            """, []
        ) { row throws(ServerPersistenceError) -> (client: RegisteredClient, isDisabled: Bool) in
            var reader = RowReader(row, table: "clients")
            let id = try reader.text("id") { ClientID($0) }
            let record = try reader.text("content") { ClientRecord(stored: $0, id: id) }
            return (client: record.client, isDisabled: try reader.integer("is_disabled") != 0)
        }
    }

    func lockClients() throws(ServerTransactionFailure) {
        try passed { () throws(ServerPersistenceError) in try connection.lock(.clients) }
    }

    func insert(_ client: RegisteredClient, at now: Timestamp) throws(ServerTransactionFailure) -> Bool {
        try execute(
            """
            INSERT INTO clients (id, content, created_at) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING
            """, [.text(client.id.text), .text(ClientRecord(client).text), .integer(now.milliseconds)]) == 1
    }

    func update(_ client: RegisteredClient) throws(ServerTransactionFailure) -> Bool {
        try execute(
            "UPDATE clients SET content = $1 WHERE id = $2",
            [.text(ClientRecord(client).text), .text(client.id.text)]) == 1
    }

    func disabledClients() throws(ServerTransactionFailure) -> [ClientID] {
        try rows("SELECT id FROM client_states WHERE is_disabled = 1 ORDER BY id", []) {
            row throws(ServerPersistenceError) in
            var reader = RowReader(row, table: "client_states")
            return try reader.text("id") { ClientID($0) }
        }
    }

    func setDisabled(_ isDisabled: Bool, _ client: ClientID, at now: Timestamp) throws(ServerTransactionFailure) {
        try enqueue(
            """
            INSERT INTO client_states (id, is_disabled, not_before) VALUES ($1, $2, $3)
            ON CONFLICT (id) DO UPDATE SET is_disabled = $2, not_before =
                CASE WHEN client_states.not_before > $3 THEN client_states.not_before ELSE $3 END
            """, [.text(client.text), .integer(isDisabled ? 1 : 0), .integer(now.milliseconds + 1)])
    }

    func removeClient(_ id: ClientID, at now: Timestamp) throws(ServerTransactionFailure) -> Bool {
        guard try execute("DELETE FROM clients WHERE id = $1", [.text(id.text)]) == 1 else { return false }
        try enqueue("DELETE FROM client_grants WHERE client_id = $1", [.text(id.text)])
        // Of the rest nothing is for the next client of the name.
        try setDisabled(false, id, at: now)
        return true
    }

    func remember(_ assertion: ClientAssertionHash, until end: Timestamp) throws(ServerTransactionFailure) -> Bool {
        try execute(
            "INSERT INTO client_assertions (id, expires_at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING",
            [.blob(assertion.octets), .integer(end.milliseconds)]) == 1
    }
}

/// Authorization requests, sessions and codes.
extension SQLTransaction {
    func insert(
        _ request: AuthorizationParameters, pushedAs hash: PushedRequestHash, at now: Timestamp, until end: Timestamp,
        from network: String?
    ) throws(ServerTransactionFailure) {
        try enqueue(
            """
            INSERT INTO pushed_requests (id, client_id, parameters, created_at, expires_at, network, generation)
            VALUES ($1, $2, $3, $4, $5, $6, \(GivenOut.generation))
            """,
            [
                .blob(hash.octets), .text(request.client.text), .text(AuthorizationRecord(request).text),
                .integer(now.milliseconds), .integer(end.milliseconds), .text(optional: network),
            ])
    }

    func takePushedRequest(
        _ hash: PushedRequestHash
    ) throws(ServerTransactionFailure) -> (parameters: AuthorizationParameters, expiresAt: Timestamp)? {
        let found = try row(
            "SELECT parameters, expires_at FROM pushed_requests WHERE id = $1 AND \(GivenOut.holds("pushed_requests"))",
            [.blob(hash.octets)]
        ) { row throws(ServerPersistenceError) -> (parameters: AuthorizationParameters, expiresAt: Timestamp) in
            var reader = RowReader(row, table: "pushed_requests")
            let record = try reader.text("parameters") { AuthorizationRecord(stored: $0) }
            return (
                parameters: record.parameters, expiresAt: Timestamp(milliseconds: try reader.integer("expires_at"))
            )
        }
        // Of two that read it, one deletes it.
        guard let found, try execute("DELETE FROM pushed_requests WHERE id = $1", [.blob(hash.octets)]) == 1 else {
            return nil
        }
        return found
    }

    func authorizationSession(
        _ id: AuthorizationSessionID
    ) throws(ServerTransactionFailure) -> AuthorizationSession? {
        try row(AuthorizationRow.sessionSelection + held, [.blob(id.octets)], as: AuthorizationRow.session)
    }

    func openRequests(
        _ kind: OpenRequest.Kind, after now: Timestamp
    ) throws(ServerTransactionFailure) -> [OpenRequest] {
        try rows(
            AuthorizationRow.openSelection(kind), [.integer(now.milliseconds)], as: AuthorizationRow.openRequest)
    }

    func remove(_ requests: [OpenRequest], _ kind: OpenRequest.Kind) throws(ServerTransactionFailure) {
        for request in requests { try enqueue(AuthorizationRow.removal(kind), [.blob(request.id)]) }
    }

    func insert(_ session: AuthorizationSession) throws(ServerTransactionFailure) {
        try enqueue(AuthorizationRow.sessionInsertion, AuthorizationRow.arguments(session))
    }

    func advance(
        _ session: AuthorizationSession, from known: AuthorizationSession
    ) throws(ServerTransactionFailure) -> Bool {
        try execute(
            """
            UPDATE authorization_sessions SET stage = $1, ceremony_id = $2, round = $3
            WHERE id = $4 AND stage <> 'finished' AND round = $5 AND ceremony_id IS NOT DISTINCT FROM $6
            """,
            [
                .text(AuthorizationRow.word(session.stage)), .blob(optional: session.stage.ceremony?.octets),
                .integer(Int64(session.round)), .blob(session.id.octets), .integer(Int64(known.round)),
                .blob(optional: known.stage.ceremony?.octets),
            ]) == 1
    }

    func insert(_ code: AuthorizationCode) throws(ServerTransactionFailure) {
        try enqueue(AuthorizationRow.codeInsertion, AuthorizationRow.arguments(code))
    }

    func useCode(
        _ hash: AuthorizationCodeHash, at now: Timestamp
    ) throws(ServerTransactionFailure) -> (code: AuthorizationCode, isReplay: Bool)? {
        guard let code = try row(AuthorizationRow.codeSelection + held, [.blob(hash.octets)], as: AuthorizationRow.code)
        else { return nil }
        let count = try execute(
            "UPDATE authorization_codes SET used_at = $1 WHERE id = $2 AND used_at IS NULL",
            [.integer(now.milliseconds), .blob(hash.octets)])
        return (code: code, isReplay: count == 0)
    }
}
