public import Foundation

/// A server that accounts of this device are registered with.
public protocol Server: Encodable, Hashable, Sendable {
    /// The base address that the operations use.
    var baseUrl: URL { get }
}
