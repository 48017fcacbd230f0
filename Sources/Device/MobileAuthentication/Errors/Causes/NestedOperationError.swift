public import Foundation

/// An operation was begun in the task that has to answer a question of another one, and would have waited for that answer.
///
/// It comes as the cause of an `Unknown` error.
public struct NestedOperationError: LocalizedError, Hashable, Sendable {
    /// Creates the value; it has no parts.
    public init() {}

    /// Description of the error for developers.
    public var errorDescription: String? {
        "An operation was begun before the question of another one was answered: it waits until that one has ended."
    }
}
