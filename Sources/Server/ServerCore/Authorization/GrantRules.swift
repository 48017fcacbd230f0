package import UAF

/// Rules for how strong a login has to be where credentials and devices are added or removed.
package final class GrantRules: Sendable {
    private let settings: AuthorizationSettings
    private let users: any UserRepository
    private let credentials: any CredentialRepository
    private let transactions: any ServerTransactionRunner
    private let clock: any WallClock

    package init(
        settings: AuthorizationSettings, users: any UserRepository, credentials: any CredentialRepository,
        transactions: any ServerTransactionRunner, clock: any WallClock
    ) {
        self.settings = settings
        self.users = users
        self.credentials = credentials
        self.transactions = transactions
        self.clock = clock
    }

    /// The grant to go on with where a key or a phone is added; one that is too weak beside other keys is good for the
    /// first key only, which whatever writes judges again.
    ///
    /// A stolen password must not enrol the thief's phone beside the owner's, nor while that one is switched off. Throws
    /// ``ServerError/refused(_:)`` with status 1401.
    package func strongEnough(
        _ grant: RequestAuthorization.Login
    ) async throws(ServerError) -> RequestAuthorization.Login {
        let grant = try await strongest(grant)
        guard settings.additionalCredential == .uafLogin, !grant.methods.contains(.fidoUAF) else { return grant }
        let existing = try await credentials.credentials(of: grant.user.id)
        guard existing.isEmpty else { throw .refused(.unauthorized) }
        return grant.limited(toFirstKey: true)
    }

    /// The grant, where there are passkeys as long as its user has no stronger method: a stolen key that is weaker must add or
    /// remove none, or its thief would be let in by another.
    private func strongest(_ grant: RequestAuthorization.Login) async throws(ServerError) -> RequestAuthorization.Login
    {
        guard let wait = settings.removalWait else { return grant }
        let now = clock.now()
        let obstacle = try await transactions.read { snapshot throws(ServerTransactionFailure) in
            try snapshot.obstacle(to: grant.evidence, of: grant.user.id, at: now, wait: wait)
        }
        guard obstacle == nil else { throw .refused(.unauthorized) }
        return grant.limited(toStrongest: true)
    }

    /// The grant to go on with where a key is removed: the owner asks, and has proved possession of a key, since a stolen
    /// password must not remove the owner's phones.
    package func owner(
        named name: UserName?, _ grant: RequestAuthorization.Login
    ) async throws(ServerError) -> RequestAuthorization.Login {
        if let name {
            guard try await users.user(named: name)?.id == grant.user.id else { throw .refused(.unauthorized) }
        }
        guard grant.methods.contains(.fidoUAF) || !grant.methods.contains(.password) else {
            throw .refused(.unauthorized)
        }
        return grant.methods.contains(.fidoUAF) ? try await strongest(grant) : grant
    }
}
