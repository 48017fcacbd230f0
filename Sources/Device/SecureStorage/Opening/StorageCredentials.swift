/// Credentials with which an application opened its storage, kept while it may have to be opened again.
struct StorageCredentials: Sendable {
    var fingerprint: DeviceFingerprint?
    var passphrase: SecureStorage.Passphrase?

    var flags: StoreFileHeader.Flags {
        var flags: StoreFileHeader.Flags = []
        if fingerprint != nil { flags.insert(.fingerprint) }
        if passphrase != nil { flags.insert(.passphrase) }
        return flags
    }
}
