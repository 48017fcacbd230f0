/// One registration of a virtual device, for people to read.
package struct DeviceRegistration: Hashable, Sendable, Codable {
    /// The name of the user.
    package let username: String
    /// The base address of the server.
    package let server: String
    /// Which authenticator.
    package let aaid: String
    /// Whether the key still works.
    package let isUsable: Bool
}
