/// A user with everything registered for the account, as both stood at one moment.
package struct CredentialHolder: Sendable, Hashable {
    /// The user.
    package let user: User
    /// All credentials of the user, oldest first.
    package let credentials: [RegisteredCredential]

    /// Puts both together.
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
