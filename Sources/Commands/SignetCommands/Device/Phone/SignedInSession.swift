import MobileAuthentication

/// What the server gave for an authentication.
struct SignedInSession {
    /// What later operations may send.
    let provider: (any AuthorizationProvider)?

    /// Writes a token into a file for its owner only; returns the kind of session.
    func keep(in path: String?) throws(CommandFailure) -> String {
        switch provider {
        case let token as JwtAuthorizationProvider:
            if let path { try PrivateFile(path: path).write(token.jwt) }
            return "token"
        case is CookieAuthorizationProvider: return "cookie"
        default: return "no session"
        }
    }
}
