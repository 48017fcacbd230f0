/// No authorization: nothing is sent.
public struct EmptyAuthorizationProvider: AuthorizationProvider, Hashable {
    /// The only value.
    public init() {}
}
