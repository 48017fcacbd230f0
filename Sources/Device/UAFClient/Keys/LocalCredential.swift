package import UAF

/// One key of this device with the account it was made for.
package struct LocalCredential: Hashable, Sendable {
    /// State of the registration of a key.
    package enum State: Hashable, Sendable {
        /// The server has not confirmed the registration; invisible to the application.
        case pending
        case registered
        /// Registered, but the key is gone or the server no longer knows it.
        case unusable
    }

    package let id: CredentialID
    package let username: UserName
    package let server: ServerAddress
    package let appID: AppID
    package let state: State
    /// Whether a signature with it has stated the server, because the server had announced that it judges that.
    package let statesServer: Bool

    package init(
        id: CredentialID, username: UserName, server: ServerAddress, appID: AppID, state: State,
        statesServer: Bool = false
    ) {
        self.id = id
        self.username = username
        self.server = server
        self.appID = appID
        self.state = state
        self.statesServer = statesServer
    }

    package func with(_ state: State) -> LocalCredential {
        LocalCredential(
            id: id, username: username, server: server, appID: appID, state: state, statesServer: statesServer)
    }
}
