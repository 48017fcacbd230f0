/// The name by which a server knows a user.
public typealias Username = String

/// A user who is registered with a server on this device.
public protocol Account: Encodable, Hashable, Sendable {
    /// The name by which the server knows the user.
    var username: Username { get }
    /// The server the user is registered with.
    var server: any Server { get }
}
