import MobileAuthentication

/// What shows the server that the user may do this: a password login, a token, the phone's own key, or nothing.
struct AuthorizationRight {
    /// How a person shows it.
    enum Evidence: Sendable {
        /// The password of the user at the server.
        case password(SecretBytes)
        /// A token (JWT).
        case token(String)
        /// The key that the phone has for the server.
        case device
    }

    /// What the SDK sends.
    let provider: any AuthorizationProvider
    /// Whether nothing was given.
    let isEmpty: Bool

    /// Logs in where a password was given.
    init(_ evidence: Evidence?, user: String, on phone: Phone) async throws(CommandFailure) {
        isEmpty = evidence == nil
        switch evidence {
        case nil: provider = EmptyAuthorizationProvider()
        case .token(let token): provider = JwtAuthorizationProvider(token)
        case .device: provider = JwsAuthorizationProvider()
        case .password(let password):
            let login = try await LoginSession(
                server: phone.server, user: user, password: password, transport: phone.transport)
            provider = CookieAuthorizationProvider(login.cookies)
        }
    }
}
