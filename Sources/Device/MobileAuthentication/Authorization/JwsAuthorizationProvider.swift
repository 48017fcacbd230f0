/// Lets the device itself ask: it signs the request with the key that it has for the server, without a user.
///
/// It is meant for ``Deregistration``, where it is the recommended kind; elsewhere it sends nothing.
public struct JwsAuthorizationProvider: AuthorizationProvider, Hashable {
    /// There is nothing to say.
    public init() {}
}
