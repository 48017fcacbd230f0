import ServerCore

/// Conditions of every row that was given out, in the statements that find it; the rules judge the rest.
///
/// A row carries the generation of the server's secrets that it was made in. `keys replace` waits for the transactions under way,
/// begins the next one and deletes the rows of before. A row that a writer without their lock adds unseen is of the old
/// generation, and holds no more either.
enum GivenOut {
    /// Number of the present generation: how often all keys were replaced.
    static let generation = "COALESCE((SELECT number FROM server_generation WHERE id = 1), 0)"

    static func isOfGeneration(_ table: StaticString) -> String { "\(table).generation = \(generation)" }

    /// Condition that the client of a row is not disabled, and neither was nor was removed since the row was made.
    static func isOfClient(_ table: StaticString) -> String {
        """
        NOT EXISTS (
            SELECT 1 FROM client_states WHERE client_states.id = \(table).client_id
                AND (client_states.is_disabled = 1 OR client_states.not_before > \(table).created_at)
        )
        """
    }

    /// Both conditions.
    static func holds(_ table: StaticString) -> String { isOfGeneration(table) + " AND " + isOfClient(table) }

    /// Tells the clients of all logins, begins the next generation and deletes what was given out before.
    ///
    /// The caller has ``SQLLock/forgetting``, so that no transaction is under way whose rows the statements do not see.
    static func end(_ connection: any SQLConnection, at now: Timestamp) throws(ServerPersistenceError) {
        let told = try connection.rows(GrantRow.logins, []).map { row throws(ServerPersistenceError) in
            OutgoingMessageRow.arguments(try GrantRow.end(row, at: now))
        }
        try connection.enqueue(OutgoingMessageRow.insertion, each: told)
        try connection.execute(
            """
            INSERT INTO server_generation (id, number) VALUES (1, 1)
            ON CONFLICT (id) DO UPDATE SET number = server_generation.number + 1
            """, [])
        for table in StoredTable.allCases where table.isGivenOut {
            try connection.execute("DELETE FROM \(table.rawValue)", [])
        }
    }
}

/// Tables of the database; each says whether `keys replace` ends what its rows stand for.
package enum StoredTable: String, Sendable, CaseIterable {
    case appAttestKeys = "app_attest_keys"
    case attestedCredentials = "attested_credentials"
    case auditDays = "audit_days"
    case auditHeads = "audit_heads"
    case auditPlaces = "audit_places"
    case auditRecords = "audit_records"
    case auditStarts = "audit_starts"
    case auditSubjects = "audit_subjects"
    case authorizationCodes = "authorization_codes"
    case authorizationSessions = "authorization_sessions"
    case backchannelRequests = "backchannel_requests"
    case clientAssertions = "client_assertions"
    case clientGrants = "client_grants"
    case clientStates = "client_states"
    case clients
    case consumedChallenges = "consumed_challenges"
    case consumptionWatermark = "consumption_watermark"
    case credentials
    case databaseMark = "database_mark"
    case decoyProfiles = "decoy_profiles"
    case deviceRequests = "device_requests"
    case dispatchTargets = "dispatch_targets"
    case grantTokens = "grant_tokens"
    case idempotentRequests = "idempotent_requests"
    case imports
    case loginAttempts = "login_attempts"
    case operations
    case outgoingMessages = "outgoing_messages"
    case passkeyOffers = "passkey_offers"
    case passkeys
    case policyRevisions = "policy_revisions"
    case processClocks = "process_clocks"
    case providerSessions = "provider_sessions"
    case pushedRequests = "pushed_requests"
    case receiptKeys = "receipt_keys"
    case receipts
    case recoveries
    case recoveryCodes = "recovery_codes"
    case removedAliases = "removed_aliases"
    case removedMethods = "removed_methods"
    case schemaMigrations = "schema_migrations"
    case serverClock = "server_clock"
    case serverGeneration = "server_generation"
    case serverKeys = "server_keys"
    case sessions
    case userAliases = "user_aliases"
    case userAttributes = "user_attributes"
    case userHistory = "user_history"
    case userIncidents = "user_incidents"
    case userPasswords = "user_passwords"
    case userSearch = "user_search"
    case users

    /// Whether rows are, or become, something that a browser, a client or a phone holds as a right.
    ///
    /// Rows of the first have a generation. Codes and tokens go with their grant; consumed challenges are what the status service
    /// tells of answers.
    package var isGivenOut: Bool {
        switch self {
        case .authorizationSessions, .backchannelRequests, .clientGrants, .idempotentRequests, .operations,
            .passkeyOffers, .providerSessions, .pushedRequests, .recoveries, .sessions:
            true
        case .authorizationCodes, .grantTokens, .consumedChallenges: true
        case .appAttestKeys, .attestedCredentials, .clientAssertions, .clientStates, .clients, .credentials,
            .deviceRequests, .dispatchTargets, .outgoingMessages, .passkeys, .recoveryCodes, .removedAliases,
            .removedMethods, .userAliases, .userAttributes, .userIncidents, .userPasswords, .userSearch, .users:
            false
        case .auditDays, .auditHeads, .auditPlaces, .auditRecords, .auditStarts, .auditSubjects, .consumptionWatermark,
            .databaseMark, .decoyProfiles, .imports, .loginAttempts, .policyRevisions, .processClocks, .receiptKeys,
            .receipts,
            .schemaMigrations, .serverClock,
            .serverGeneration, .serverKeys, .userHistory:
            false
        }
    }
}
