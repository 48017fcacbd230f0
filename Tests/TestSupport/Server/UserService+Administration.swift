package import ServerCore
package import UAF
package import UAFService

/// What an administrator does to a user, as the administration API does it.
extension UserService {
    package func lock(named name: String) async throws(ServerError) { try await setStatus(.locked, name) }

    package func unlock(named name: String) async throws(ServerError) { try await setStatus(.active, name) }

    private func setStatus(_ status: User.Status, _ name: String) async throws(ServerError) {
        try await change(name) { user, now, transaction throws(ServerTransactionFailure) in
            try transaction.setStatus(status, of: user, recordedAt: now)
        }
    }

    /// Removes a user with everything that belongs to the account.
    package func remove(named name: String) async throws(ServerError) {
        try await change(name) { user, now, transaction throws(ServerTransactionFailure) in
            try transaction.endLogins(of: user.id, at: now)
            try transaction.removeUser(user.id, at: now)
            try transaction.append(AuditEvent(.userRemoved, at: now).about(user))
        }
    }

    /// Switches credentials of a user off or on again, and returns those that the user has.
    @discardableResult
    package func setStatus(
        _ status: RegisteredCredential.Status, of ids: [CredentialID], ofUserNamed name: String
    ) async throws(ServerError) -> [CredentialID] {
        try await change(name) { user, now, transaction throws(ServerTransactionFailure) in
            try transaction.setStatus(status, of: ids, ownedBy: user, recordedAt: now)
        }
    }

    /// Removes credentials of a user with all logins, and returns those that the user had.
    @discardableResult
    package func remove(
        _ ids: [CredentialID], ofUserNamed name: String
    ) async throws(ServerError) -> [CredentialID] {
        try await change(name) { user, now, transaction throws(ServerTransactionFailure) in
            try RemoveCredential(in: transaction).remove(ids, of: user.id) { id in
                AuditEvent(.credentialRemoved, at: now).about(user).about(id)
            }
        }
    }

    private func change<Value: Sendable>(
        _ name: String,
        _ body: @escaping @Sendable (User, Timestamp, any ServerTransaction) throws(ServerTransactionFailure) -> Value
    ) async throws(ServerError) -> Value {
        let (id, now) = (try await user(named: name).id, clock.now())
        let value = try await transactions.transaction { transaction throws(ServerTransactionFailure) -> Value? in
            guard let user = try transaction.lockUser(id) else { return nil }
            return try body(user, now, transaction)
        }
        guard let value else { throw .userUnknown }
        return value
    }
}

extension Storage {
    /// Locks or unlocks a user.
    package func setStatus(_ status: User.Status, of id: UserID, at now: Timestamp) async throws(ServerError) {
        try await transaction { transaction throws(ServerTransactionFailure) in
            guard let user = try transaction.lockUser(id) else { return }
            try transaction.setStatus(status, of: user, recordedAt: now)
        }
    }
}
