public import Foundation

/// An address is not `https:`; nothing was sent.
///
/// It comes as the cause of a `NetworkError`.
public struct InsecureAddressError: LocalizedError, Hashable, Sendable {
    /// Creates the value; it has no parts.
    public init() {}

    /// Description of the error for developers.
    public var errorDescription: String? { "The address of the server does not begin with https." }
}
