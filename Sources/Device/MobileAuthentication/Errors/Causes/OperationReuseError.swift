public import Foundation

/// An operation object was started a second time.
///
/// It comes as the cause of an `Unknown` error. Every access to a property of ``Operations`` gives a new object.
public struct OperationReuseError: LocalizedError, Hashable, Sendable {
    /// The only value.
    public init() {}

    /// Says what was wrong.
    public var errorDescription: String? { "An operation can be executed only once." }
}
