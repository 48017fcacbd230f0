public import Foundation

/// A server that accounts of this device are registered with.
public protocol Server: Encodable, Hashable, Sendable {
    /// The base address that the operations use.
    var baseUrl: URL { get }
}

/// A server that is known by its base address.
struct RegisteredServer: Server {
    let baseUrl: URL
}
