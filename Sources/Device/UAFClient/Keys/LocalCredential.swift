package import UAF

/// One key of this device with the account it was made for.
package struct LocalCredential: Hashable, Sendable {
    /// State of the registration of a key.
    package enum State: Hashable, Sendable {
        /// The server has not confirmed the registration; invisible to the application.
        case pending
        /// Registered.
        case registered
        /// Registered, but the key is gone or the server no longer knows it.
        case unusable
    }

    /// Key identifier and model.
    package let id: CredentialID
    /// The name by which the server knows the user.
    package let username: UserName
    /// The base address of the server.
    package let server: ServerAddress
    /// The application that the key was made for.
    package let appID: AppID
    /// State of the registration.
    package let state: State

    package init(id: CredentialID, username: UserName, server: ServerAddress, appID: AppID, state: State) {
        self.id = id
        self.username = username
        self.server = server
        self.appID = appID
        self.state = state
    }

    /// The same key in another state.
    package func with(_ state: State) -> LocalCredential {
        LocalCredential(id: id, username: username, server: server, appID: appID, state: state)
    }
}
