import DeviceAttestation

/// Proof that came with the registration of a credential, or with a later use: which application holds its key.
package enum CredentialAttestation: Sendable, Hashable {
    /// The application with this key of App Attest, whose assertions go with the uses of the credential.
    case appleKey(AppAttestKeyID)
    /// The key of the credential is itself one that Android's key store vouches for.
    case androidKey
}
