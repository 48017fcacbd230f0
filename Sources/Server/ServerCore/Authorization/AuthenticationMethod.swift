import UAF

/// Service at which an authentication is asked for.
package enum AuthenticationEntry: Sendable, Hashable {
    /// The UAF request service: the answer may come over any connection.
    case service
    /// The login of the identity suite (`/auth/fidouaf`): the answer must bring the cookie set with the request.
    case login
}

/// Method by which a user authenticated, as the `amr` claim of a token names it (RFC 8176).
package enum AuthenticationMethod: String, Sendable, Hashable, CaseIterable {
    case fidoUAF = "fido-uaf"
    case password = "pwd"
    /// A login at another system that vouches for the user by a token.
    case external = "ext"
}
