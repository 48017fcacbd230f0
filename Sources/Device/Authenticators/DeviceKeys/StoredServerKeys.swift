import HardwareKeys

/// The two keys that this installation has for one server: they belong to no account and need no user.
struct StoredServerKeys: Hashable, Sendable {
    /// The base address of the server, as the credentials of its accounts spell it.
    let server: String
    /// Signs what the device asks of the server.
    let signing: KeyReference
    /// Opens what the server encrypts to the device.
    let agreement: KeyReference
    /// What the server knows of both.
    let publicKeys: DevicePublicKeys

    /// The most servers that one installation has keys for.
    static let countLimit = 32
}
