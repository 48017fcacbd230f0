/// What changes in how the key of a storage is found.
struct WrapChange {
    var protection: SecureStorage.Protection
    /// How long values can be read after the user was there; nil for the standard.
    var timeout: Duration?
    var credentials: StorageCredentials

    init(_ layer: VolatileLayer, _ credentials: StorageCredentials) {
        protection = layer.header.protection
        timeout = layer.wrap.reauthenticationTimeout
        self.credentials = credentials
    }
}
