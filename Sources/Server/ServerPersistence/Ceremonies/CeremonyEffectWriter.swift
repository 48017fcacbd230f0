import ServerCore

/// Writes the effect of one answer, each precondition judged by the statement that writes.
struct CeremonyEffectWriter {
    let connection: any SQLConnection
    let now: Timestamp
    /// The login that must hold.
    let evidence: RequestAuthorization.Evidence?

    /// Returns the precondition that did not hold; the caller then undoes what was written.
    func write(_ effect: CeremonyOutcome.Effect) throws(ServerPersistenceError) -> CommitRefusal? {
        switch effect {
        case .refuse(let registrationID):
            if let registrationID { try countFailure(registrationID) }
            return nil
        case .register(let credentials, let user, let limit):
            return try register(credentials, of: user, limit: limit)
        case .authenticate(let uses, let session):
            for use in uses {
                if let refusal = try record(use) { return refusal }
            }
            if let session { try SQLSessionRepository.insert(session, connection) }
            return nil
        }
    }

    private func countFailure(_ registrationID: RegistrationID) throws(ServerPersistenceError) {
        try connection.execute(
            "UPDATE credentials SET failure_count = failure_count + 1 WHERE registration_id = $1",
            [.blob(registrationID.octets)])
    }

    private func register(
        _ credentials: [VerifiedCredential], of user: UserID, limit: Int
    ) throws(ServerPersistenceError) -> CommitRefusal? {
        // The update locks the user's row, so that two registrations of one user count one after the other.
        let active = try connection.execute(
            "UPDATE users SET credential_revision = credential_revision + 1 WHERE id = $1 AND status = 'active'",
            [.blob(user.octets)])
        guard active == 1 else { return .userInactive }
        if let evidence, try !LoginWriter(connection: connection).holds(evidence, of: user) { return .loginEnded }
        guard try credentialCount(of: user) + credentials.count <= limit else { return .tooManyCredentials }
        for credential in credentials {
            let inserted = try connection.execute(CredentialRow.insertion, CredentialRow.arguments(credential))
            guard inserted == 1 else { return .credentialExists }
        }
        return nil
    }

    private func credentialCount(of user: UserID) throws(ServerPersistenceError) -> Int {
        guard
            let row = try connection.row("SELECT COUNT(*) FROM credentials WHERE user_id = $1", [.blob(user.octets)])
        else { return 0 }
        var reader = RowReader(row, table: "credentials")
        return try reader.integer("count") { Int(exactly: $0) }
    }

    /// Time of the authentication; nothing that ends the logins of that time may have come in between.
    private var loginTime: Timestamp { evidence?.authenticatedAt ?? now }

    private func record(_ use: CeremonyOutcome.CredentialUse) throws(ServerPersistenceError) -> CommitRefusal? {
        let updated = try connection.execute(
            """
            UPDATE credentials
            SET sign_counter = $1, last_success_at = $2, success_count = success_count + 1
            WHERE registration_id = $3 AND status = 'active' AND (sign_counter < $1 OR (sign_counter = 0 AND $1 = 0))
                AND EXISTS (
                    SELECT 1 FROM users
                    WHERE users.id = credentials.user_id AND users.status = 'active' AND users.not_before <= $4)
            """,
            [
                .integer(Int64(use.signCounter)), .integer(now.milliseconds), .blob(use.registrationID.octets),
                .integer(loginTime.milliseconds),
            ])
        return updated == 1 ? nil : try reason(use.registrationID)
    }

    /// Reason for which the update found no row; read in the same transaction.
    private func reason(_ registrationID: RegistrationID) throws(ServerPersistenceError) -> CommitRefusal {
        let row = try connection.row(
            """
            SELECT credentials.status, users.status, users.not_before
            FROM credentials JOIN users ON users.id = credentials.user_id
            WHERE credentials.registration_id = $1
            """, [.blob(registrationID.octets)])
        guard let row else { return .credentialRemoved }
        var reader = RowReader(row, table: "credentials")
        let credential = try reader.text("status") { RegisteredCredential.Status(rawValue: $0) }
        let user = try reader.text("status") { User.Status(rawValue: $0) }
        let notBefore = try reader.integer("not_before")
        if user != .active { return .userInactive }
        guard credential == .active else { return .credentialDisabled }
        return notBefore > loginTime.milliseconds ? .loginEnded : .counterNotGreater
    }
}
