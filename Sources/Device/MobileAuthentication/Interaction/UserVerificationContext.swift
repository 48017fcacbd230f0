/// What every verification of a user knows.
public protocol UserVerificationContext: Encodable, Sendable {
    /// The authenticator that asks.
    var authenticator: any Authenticator { get }
}
