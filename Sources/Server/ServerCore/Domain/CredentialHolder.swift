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
}
