public import Foundation

/// An operation object was started a second time.
///
/// It comes as the cause of an `Unknown` error. Every access to a property of ``Operations`` gives a new object.
public struct OperationReuseError: LocalizedError, Hashable, Sendable {
    /// Creates the value; it has no parts.
    public init() {}

    /// Description of the error for developers.
    public var errorDescription: String? { "An operation can be executed only once." }
}
