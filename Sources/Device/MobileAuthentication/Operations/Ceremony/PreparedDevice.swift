/// A device that can introduce itself to a server.
package struct PreparedDevice: Hashable, Sendable {
    /// Name, push token and identifier; the identifier is always there.
    package let information: DeviceInformation
    /// The keys for the server.
    package let keys: DeviceServerKeys
}
