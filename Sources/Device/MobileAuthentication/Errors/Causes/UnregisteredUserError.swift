public import Foundation

/// The user has no key on this device, so an authentication with their name is not possible here.
///
/// It comes as the cause of a `FidoError` with the code `noSuitableAuthenticator`, before the server is asked.
public struct UnregisteredUserError: LocalizedError, Hashable, Sendable {
    /// Makes the error; it does not hold the name.
    public init() {}

    /// Localized description of the error.
    public var errorDescription: String? { SDKText.notRegisteredHere.localized }

    /// Localized recovery suggestion.
    public var recoverySuggestion: String? { SDKText.registerHere.localized }
}
