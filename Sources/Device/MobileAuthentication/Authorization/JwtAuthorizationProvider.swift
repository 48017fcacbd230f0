/// A JSON Web Token, sent as `Authorization: Bearer`.
public struct JwtAuthorizationProvider: AuthorizationProvider, Hashable {
    /// The token in its compact form.
    public let jwt: String

    /// Takes a token in its compact form.
    public init(_ jwt: String) {
        self.jwt = jwt
    }
}

extension JwtAuthorizationProvider: CustomStringConvertible, CustomReflectable {
    /// Never the token.
    public var description: String { "JwtAuthorizationProvider" }

    /// Nothing to look at.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
