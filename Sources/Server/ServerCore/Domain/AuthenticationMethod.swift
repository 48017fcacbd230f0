/// How a user proved who they are, as the `amr` claim of a token names it (RFC 8176).
package enum AuthenticationMethod: String, Sendable, Hashable, CaseIterable {
    /// A FIDO UAF authenticator of this server.
    case fidoUAF = "fido-uaf"
    /// A password.
    case password = "pwd"
    /// A login at another system that vouches for the user by a token.
    case external = "ext"
}
