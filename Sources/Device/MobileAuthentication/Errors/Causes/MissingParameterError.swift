public import Foundation

/// An operation was started without a parameter that it needs.
///
/// It comes as the cause of an `Unknown` error.
public struct MissingParameterError: LocalizedError, Hashable, Sendable {
    /// The name of the builder method that was not called.
    public let name: String

    /// Names the missing parameter.
    public init(_ name: String) { self.name = name }

    /// Says which parameter is missing.
    public var errorDescription: String? { "The parameter \(name) is missing." }
}
