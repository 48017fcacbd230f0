/// Common context of all verifications of a user.
public protocol UserVerificationContext: Encodable, Sendable {
    /// The authenticator that asks.
    var authenticator: any Authenticator { get }
}
