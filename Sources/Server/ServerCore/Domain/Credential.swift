package import UAF

/// The registered credentials, for reading; they are added and used through ``UnitOfWork``, and go by
/// ``RemoveCredential``.
package protocol CredentialRepository: Sendable {
    /// All credentials of a user, oldest first.
    func credentials(of user: UserID) async throws(ServerError) -> [RegisteredCredential]

    /// The user whose name or external id is `name`, byte by byte, with all credentials.
    func holder(named name: UserName) async throws(ServerError) -> CredentialHolder?

    /// The credential with this model and key, of any user.
    func credential(_ id: CredentialID) async throws(ServerError) -> RegisteredCredential?
}

/// A user with everything registered for the account, as both stood at one moment.
package struct CredentialHolder: Sendable, Hashable {
    package let user: User
    /// All credentials of the user, oldest first.
    package let credentials: [RegisteredCredential]

    package init(user: User, credentials: [RegisteredCredential]) {
        self.user = user
        self.credentials = credentials
    }

    /// The credentials that a device holds; all of them without a device, and where it is not known what it holds.
    package func credentials(on targetID: DispatchTargetID?) -> [RegisteredCredential] {
        guard let targetID else { return credentials }
        let held = credentials.filter { $0.targetID == targetID }
        return held.isEmpty ? credentials : held
    }
}
