package import UAF

/// Rules for how strong a login has to be where credentials and devices are added or removed.
package final class GrantRules: Sendable {
    private let settings: AuthorizationSettings
    private let users: any UserRepository
    private let credentials: any CredentialRepository

    package init(settings: AuthorizationSettings, users: any UserRepository, credentials: any CredentialRepository) {
        self.settings = settings
        self.users = users
        self.credentials = credentials
    }

    /// The grant to go on with where a key or a phone is added; one that is too weak beside other keys is good for the
    /// first key only, which whatever writes judges again.
    ///
    /// A stolen password must not enrol the thief's phone beside the owner's, nor while that one is switched off. Throws
    /// ``ServerError/refused(_:)`` with status 1401.
    package func strongEnough(
        _ grant: RequestAuthorization.Login
    ) async throws(ServerError) -> RequestAuthorization.Login {
        guard settings.additionalCredential == .uafLogin, !grant.methods.contains(.fidoUAF) else { return grant }
        let existing = try await credentials.credentials(of: grant.user.id)
        guard existing.isEmpty else { throw .refused(.unauthorized) }
        return grant.forFirstKey
    }

    /// The owner asks, and has proved possession of a key: a stolen password must not remove the owner's phones.
    package func requireOwner(_ name: UserName?, _ grant: RequestAuthorization.Login) async throws(ServerError) {
        if let name {
            guard try await users.user(named: name)?.id == grant.user.id else { throw .refused(.unauthorized) }
        }
        guard grant.methods.contains(.fidoUAF) || !grant.methods.contains(.password) else {
            throw .refused(.unauthorized)
        }
    }
}
