public import Foundation

/// An address is not `https:`; nothing was sent.
///
/// It comes as the cause of a `NetworkError`.
public struct InsecureAddressError: LocalizedError, Hashable, Sendable {
    /// The only value.
    public init() {}

    /// Says what was wrong.
    public var errorDescription: String? { "The address of the server does not begin with https." }
}
