public import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Why a password was not accepted; the user is asked again.
public enum PasswordUserVerificationError: LocalizedError, Sendable {
    /// The password was wrong.
    case InvalidPassword(description: String, cause: (any Error)?)

    /// What was wrong.
    public var errorDescription: String? {
        switch self {
        case .InvalidPassword(let text, _): text
        }
    }
}
