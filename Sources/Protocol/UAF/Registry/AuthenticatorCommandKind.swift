/// The commands an authenticator understands.
///
/// FIDO UAF Authenticator Commands 1.1, 6.
public enum AuthenticatorCommandKind: Hashable, Sendable, CaseIterable {
    /// Tells what authenticators there are.
    case getInfo
    /// Makes a key.
    case register
    /// Signs with a key.
    case sign
    /// Forgets keys.
    case deregister
    /// Shows the authenticator's own settings.
    case openSettings
}
