public import Foundation

/// A parameter of an operation has a value that can never work.
///
/// It comes as the cause of an `Unknown` error. The value itself is not repeated here.
public struct InvalidParameterError: LocalizedError, Hashable, Sendable {
    /// The name of the builder method, or of the answer to an interaction.
    public let name: String

    /// Names the parameter.
    public init(_ name: String) { self.name = name }

    /// Says which parameter is wrong.
    public var errorDescription: String? { "The value of \(name) cannot be used." }
}
