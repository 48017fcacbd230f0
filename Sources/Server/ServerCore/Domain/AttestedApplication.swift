package import DeviceAttestation

/// Application whose statement about a response holds; it is recorded with the outcome of the response.
package enum AttestedApplication: Sendable, Hashable {
    /// An application on one of Apple's platforms with a key that was not known before.
    case newAppleKey(AppAttestKey)
    /// An application on one of Apple's platforms with a known key, and the counter of its assertion.
    case appleKey(AppAttestKeyID, counter: UInt32)
    /// An application on Android, whose key store vouches for the registered key.
    case androidKey
}
