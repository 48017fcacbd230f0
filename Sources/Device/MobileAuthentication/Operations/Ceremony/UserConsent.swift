/// What lets an authenticator make or use a key.
package enum UserConsent: Sendable {
    /// The secret that the SDK checks: a PIN or a password.
    case secret(SecretBytes)
    /// The user shows the operating system that he is there.
    case presence(PresenceRequest)
}
