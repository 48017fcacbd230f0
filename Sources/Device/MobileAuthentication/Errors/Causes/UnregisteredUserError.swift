public import Foundation

/// The user has no key on this device, so nobody can sign in with their name here.
///
/// It comes as the cause of a `FidoError` with the code `noSuitableAuthenticator`, before the server is asked.
public struct UnregisteredUserError: LocalizedError, Hashable, Sendable {
    /// Makes the error; it does not hold the name.
    public init() {}

    /// Says so, in the language of the user.
    public var errorDescription: String? { SDKText.notRegisteredHere.localized }

    /// What helps, in the language of the user.
    public var recoverySuggestion: String? { SDKText.registerHere.localized }
}
