public import UAF

/// The context of a deregistration request (`backend-http-api` 1.9).
public struct DeregistrationContext: RequestContext {
    /// The operation whose request carries this context.
    public static let operation = Operation.deregistration

    /// Which of the user's credentials are to go.
    public enum Scope: Sendable {
        /// Every credential of the user, on all devices (mode `username`).
        case everything
        /// Every credential of these authenticator models (mode `aaid`).
        case models([AAID])
        /// Exactly these keys (mode `key`).
        case keys([CredentialID])
    }

    /// The user whose credentials are meant; nil when the authorization of the request says it.
    public let username: UserName?
    /// Which credentials are meant.
    public let scope: Scope

    /// Names the credentials to remove and, unless the authorization does, the user.
    public init(username: UserName? = nil, scope: Scope) {
        self.username = username
        self.scope = scope
    }
}
