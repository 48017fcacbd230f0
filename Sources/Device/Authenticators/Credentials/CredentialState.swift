/// Where a credential stands between this device and its server.
package enum CredentialState: Hashable, Sendable {
    /// Its registration was sent, and the server's answer is not known.
    case pending
    /// The server accepted it.
    case active
    /// It exists but can never sign again: the server does not know it, or what protected it has changed.
    case unusable
}
