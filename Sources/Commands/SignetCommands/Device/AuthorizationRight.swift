import MobileAuthentication

/// What shows the server that the user may do this: a password login, a token, or nothing.
struct AuthorizationRight {
    /// What the SDK sends.
    let provider: any AuthorizationProvider
    /// Whether nothing was given.
    let isEmpty: Bool

    /// Logs in where a password was given.
    init(_ options: AuthorizationOptions, user: String, on phone: Phone) async throws(CommandFailure) {
        isEmpty = options.passwordFile == nil && options.tokenFile == nil
        if let file = options.passwordFile {
            let login = try await LoginSession(
                server: phone.server, user: user, passwordFile: file, transport: phone.transport)
            provider = CookieAuthorizationProvider(login.cookies)
        } else if let file = options.tokenFile {
            provider = JwtAuthorizationProvider(try SecretFile(path: file).text())
        } else {
            provider = EmptyAuthorizationProvider()
        }
    }
}
