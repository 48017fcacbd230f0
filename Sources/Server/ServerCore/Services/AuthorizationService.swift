/// Finds out who sends a request.
package struct AuthorizationService: Sendable {
    private let tokens: TokenService
    private let sessions: SessionService

    /// Takes tokens that `tokens` accepts and cookies that `sessions` knows.
    package init(tokens: TokenService, sessions: SessionService) {
        self.tokens = tokens
        self.sessions = sessions
    }

    /// What a request's bearer token or, without one, its session cookie says.
    ///
    /// A token that does not hold is not made good by a cookie. Throws ``ServerError/storageUnavailable`` only.
    package func authorization(
        bearerToken: String?, sessionCookie: String?
    ) async throws(ServerError) -> RequestAuthorization {
        if let bearerToken {
            return try await tokens.grant(forToken: bearerToken).map(RequestAuthorization.granted) ?? .invalid
        }
        if let sessionCookie {
            return try await sessions.grant(forCookie: sessionCookie).map(RequestAuthorization.granted) ?? .invalid
        }
        return .absent
    }
}
