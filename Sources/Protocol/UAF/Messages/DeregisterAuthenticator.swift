/// Selection of the keys to delete; always of the request's AppID only.
///
/// FIDO UAF Protocol 1.1, 3.6.2. An empty string on the wire widens the meaning.
public enum DeregisterAuthenticator: Hashable, Sendable {
    /// One key.
    case key(CredentialID)
    /// All keys on authenticators of this model.
    case allKeys(of: AAID)
    /// All keys on all authenticators.
    case everything
}
