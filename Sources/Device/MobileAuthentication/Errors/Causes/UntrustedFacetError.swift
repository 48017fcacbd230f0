public import Foundation

/// The server does not list this application among those that may use its keys, or its list could not be read.
///
/// It comes as the cause of a `FidoError` with the code `untrustedFacetId`. The value to be listed by the server is
/// ``MobileAuthenticationClient/applicationFacetId``.
public struct UntrustedFacetError: LocalizedError, Hashable, Sendable {
    /// Whether the AppID belongs to another server: the one at its origin, or where this device knows none there, the one
    /// that the first registered key under it was made for.
    public let isOfAnotherServer: Bool

    /// Says why; by default the list of the AppID does not name this application.
    public init(isOfAnotherServer: Bool = false) { self.isOfAnotherServer = isOfAnotherServer }

    /// Description of the error for developers.
    public var errorDescription: String? {
        isOfAnotherServer
            ? "The server asks for a key in the name of another server."
            : "The server does not list this application among its trusted applications."
    }
}
