extension ServerSnapshot {
    /// Whether a login of a user holds, by the rule of ``RequestAuthorization/Evidence``.
    func holds(
        _ evidence: RequestAuthorization.Evidence, of user: User
    ) throws(ServerTransactionFailure) -> Bool {
        guard evidence.isTimely(for: user) else { return false }
        let registrations = evidence.registrations
        if !registrations.isEmpty, try !hasActiveCredential(among: registrations, of: user.id) { return false }
        guard evidence.isForFirstKey else { return true }
        return try credentialCount(of: user.id) == 0
    }
}

extension ServerTransaction {
    /// Whether a grant holds.
    ///
    /// The user is then locked until the transaction ends, so that two requests of one user, or a request and what ends
    /// its login, come one after the other.
    func lock(_ grant: RequestAuthorization.Grant) throws(ServerTransactionFailure) -> Bool {
        guard let user = try lockUser(grant.user.id), try holds(grant.evidence, of: user) else { return false }
        guard let session = grant.session else { return true }
        return try hasSession(session)
    }
}
