import OpenID
import ServerCore
import UAF

/// Users, their logins and their credentials.
extension SQLTransaction {
    func user(_ id: UserID) throws(ServerTransactionFailure) -> User? {
        try row(UserRow.selectionByID + kept, [.blob(id.octets)]) { row throws(ServerPersistenceError) in
            try UserRow.user(row)
        }
    }

    func lockUser(_ id: UserID) throws(ServerTransactionFailure) -> User? {
        try row(
            UserRow.selectionByID + connection.dialect.rowLock(), [.blob(id.octets)]
        ) { row throws(ServerPersistenceError) in try UserRow.user(row) }
    }

    func hasSession(_ cookieHash: CookieHash) throws(ServerTransactionFailure) -> Bool {
        try finds(
            "SELECT 1 FROM sessions WHERE cookie_hash = $1 AND \(GivenOut.isOfGeneration("sessions"))" + kept,
            [.blob(cookieHash.octets)])
    }

    func insert(_ session: Session) throws(ServerTransactionFailure) {
        try enqueue(SessionRow.insertion, SessionRow.arguments(session))
    }

    func endLogins(of user: UserID, at time: Timestamp) throws(ServerTransactionFailure) {
        try passed { () throws(ServerPersistenceError) in
            try LoginWriter(connection: connection).endAll(of: user, at: time)
        }
        try endLoginsWithoutProof(of: user, at: time)
    }

    // MARK: - Credentials

    func hasKey(
        behind evidence: RequestAuthorization.Evidence, of user: UserID
    ) throws(ServerTransactionFailure) -> Bool {
        try passed { () throws(ServerPersistenceError) in
            try LoginWriter(connection: connection).hasKey(behind: evidence, of: user, ending: kept)
        }
    }

    func holder(_ id: UserID) throws(ServerTransactionFailure) -> CredentialHolder? {
        try passed { () throws(ServerPersistenceError) in
            try CredentialRow.holder(
                connection.results(of: [
                    SQLQuery(UserRow.selectionByID + kept, [.blob(id.octets)]),
                    SQLQuery(CredentialRow.selectionByUser + kept, [.blob(id.octets)]),
                ]))
        }
    }

    func credentials(withKey keyID: KeyID) throws(ServerTransactionFailure) -> [RegisteredCredential] {
        try rows(CredentialRow.selectionByKey + kept, [.blob(keyID.octets)], as: CredentialRow.credential)
    }

    func credentialCount(of user: UserID) throws(ServerTransactionFailure) -> Int {
        try count("SELECT COUNT(*) FROM credentials WHERE user_id = $1", [.blob(user.octets)], in: "credentials")
    }

    func credential(_ id: CredentialID) throws(ServerTransactionFailure) -> RegisteredCredential? {
        try row(
            CredentialRow.selectionByID + held, [.text(id.aaid.text), .blob(id.keyID.octets)],
            as: CredentialRow.credential)
    }

    func credential(
        registeredAs id: RegistrationID
    ) throws(ServerTransactionFailure) -> RegisteredCredential? {
        try row(CredentialRow.selectionByRegistration + held, [.blob(id.octets)], as: CredentialRow.credential)
    }

    func credentials(on target: DispatchTargetID) throws(ServerTransactionFailure) -> [RegisteredCredential] {
        try rows(CredentialRow.selectionByTarget + held, [.blob(target.octets)], as: CredentialRow.credential)
    }

    func unassignedCredentials(of user: UserID) throws(ServerTransactionFailure) -> [RegisteredCredential] {
        try rows(CredentialRow.selectionUnassigned + held, [.blob(user.octets)], as: CredentialRow.credential)
    }

    func insert(_ credential: VerifiedCredential) throws(ServerTransactionFailure) -> Bool {
        try execute(CredentialRow.insertion, CredentialRow.arguments(credential)) == 1
    }

    func record(
        _ use: CeremonyOutcome.CredentialUse, at now: Timestamp, loggedInAt loginTime: Timestamp
    ) throws(ServerTransactionFailure) -> Bool {
        try execute(
            CredentialRow.use(connection.dialect),
            CredentialRow.use(of: use.registrationID, counter: use.signCounter, at: now, loggedInAt: loginTime)) == 1
    }

    func countFailure(of credential: RegistrationID) throws(ServerTransactionFailure) {
        try enqueue(
            "UPDATE credentials SET failure_count = failure_count + 1 WHERE registration_id = $1",
            [.blob(credential.octets)])
    }

    func removeCredential(
        _ id: RegistrationID, of user: UserID, at now: Timestamp
    ) throws(ServerTransactionFailure) -> Bool {
        try noteRemoval(at: now, where: "registration_id = $2", [.blob(id.octets)])
        let count = try execute("DELETE FROM credentials WHERE registration_id = $1", [.blob(id.octets)])
        if count > 0 { try endLoginsWithoutProof(of: user, at: now) }
        return count > 0
    }

    func setStatus(
        _ status: RegisteredCredential.Status, of ids: [CredentialID], ownedBy user: UserID, at now: Timestamp
    ) throws(ServerTransactionFailure) -> [CredentialID] {
        guard try lockUser(user) != nil else { return [] }
        var changed: [CredentialID] = []
        for id in ids {
            let key: [SQLValue] = [.text(id.aaid.text), .blob(id.keyID.octets), .blob(user.octets)]
            let count: Int
            switch status {
            case .active: count = try execute(CredentialRow.enabling, key)
            case .disabled:
                try noteRemoval(at: now, where: "aaid = $2 AND key_id = $3 AND user_id = $4", key)
                count = try execute(CredentialRow.disabling, [.integer(now.milliseconds)] + key)
            }
            if count > 0 { changed.append(id) }
        }
        if status == .disabled { try endLoginsWithoutProof(of: user, at: now) }
        return changed
    }

    func moveCredentials(
        from old: DispatchTargetID, to new: DispatchTargetID
    ) throws(ServerTransactionFailure) {
        try enqueue(
            "UPDATE credentials SET dispatch_target_id = $1 WHERE dispatch_target_id = $2",
            [.blob(new.octets), .blob(old.octets)])
    }
}
