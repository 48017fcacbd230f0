public import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// What the policy of an application says against the new password of a change.
public enum PasswordChangeValidationError: LocalizedError, Sendable {
    /// The password is not wanted; the message is shown to the user.
    case InvalidPassword(message: String, cause: (any Error)?)

    /// What was wrong.
    public var errorDescription: String? {
        switch self {
        case .InvalidPassword(let text, _): text
        }
    }
}
