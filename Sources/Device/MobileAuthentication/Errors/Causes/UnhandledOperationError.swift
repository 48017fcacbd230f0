public import Foundation

/// A server began an operation out of band that the application has no closure for.
///
/// It comes as the cause of an `Unknown` error.
public struct UnhandledOperationError: LocalizedError, Hashable, Sendable {
    /// The name of the builder method that was not called, or nil for an operation that no closure takes.
    public let handler: String?

    /// Names the missing closure.
    public init(handler: String?) { self.handler = handler }

    /// Says what is missing.
    public var errorDescription: String? {
        handler.map { "The server began an operation that needs \($0)." }
            ?? "The server began an operation that is not done on this device."
    }
}
