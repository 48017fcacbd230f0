/// Authentication of the senders of requests.
package struct AuthorizationService: Sendable {
    private let tokens: TokenService
    private let sessions: SessionService
    package let accessKeys: AccessKeys

    package init(tokens: TokenService, sessions: SessionService, accessKeys: AccessKeys) {
        self.tokens = tokens
        self.sessions = sessions
        self.accessKeys = accessKeys
    }

    /// Authorization by the bearer token of a request or, without one, by its session cookie.
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

    /// As ``authorization(bearerToken:sessionCookie:)`` where a bearer token may also be an access key.
    package func initiator(
        bearerToken: String?, sessionCookie: String?
    ) async throws(ServerError) -> InitiatorAuthorization {
        if let bearerToken, let name = accessKeys.name(of: bearerToken) { return .accessKey(name) }
        switch try await authorization(bearerToken: bearerToken, sessionCookie: sessionCookie) {
        case .absent: return .absent
        case .invalid: return .invalid
        case .granted(let grant): return .user(grant)
        }
    }
}

/// Authorization rules of the services.
package struct AuthorizationSettings: Sendable, Hashable {
    /// Authorization that a registration request needs.
    package enum Registration: String, Sendable, Hashable, CaseIterable {
        /// A valid token or cookie of the user.
        case required
        /// Nothing: any client that knows a user name may register a key for it. For closed networks and trials only.
        case none
    }

    /// Login that suffices to register one more credential for a user who has one already.
    package enum AdditionalCredential: String, Sendable, Hashable, CaseIterable {
        /// A token or cookie from a FIDO UAF authentication, so that a stolen password enrols no phone.
        case uafLogin = "uaf-login"
        case anyLogin = "any-login"
    }

    package var registration = Registration.required
    /// Login that suffices for a further credential.
    package var additionalCredential = AdditionalCredential.uafLogin
    /// Credentials that a user may have at the same time.
    package var maximumCredentialCount = 10
    /// Time for which a removed method of sign-in keeps weaker ones from adding others (`openid.passkeys.removal-wait`); nil
    /// without passkeys.
    package var removalWait: Duration?

    package init() {}
}
