public import Foundation

/// The server does not name this application among those that may use its keys, or its list could not be read.
///
/// It comes as the cause of a `FidoError` with the code `untrustedFacetId`. The value to be listed by the server is
/// ``MetaData/applicationFacetId``.
public struct UntrustedFacetError: LocalizedError, Hashable, Sendable {
    /// The only value.
    public init() {}

    /// Says what was wrong.
    public var errorDescription: String? { "The server does not name this application as one of its own." }
}
