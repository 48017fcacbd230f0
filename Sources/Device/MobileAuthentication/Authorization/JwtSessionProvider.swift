/// A session that lives in a JSON Web Token.
public struct JwtSessionProvider: SessionProvider, Hashable {
    /// The token in its compact form.
    public let jwt: String

    /// Takes a token in its compact form.
    public init(_ jwt: String) {
        self.jwt = jwt
    }
}

extension JwtSessionProvider: CustomStringConvertible, CustomReflectable {
    /// Never the token.
    public var description: String { "JwtSessionProvider" }

    /// Nothing to look at.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
