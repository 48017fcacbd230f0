public import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Why the answer to a password change was refused; the user is asked again.
public enum PasswordChangeRecoverableError: LocalizedError, Sendable {
    /// The old password was wrong.
    case InvalidPassword(description: String, cause: (any Error)?)
    /// The new password is the old one.
    case OldPasswordEqualsNewPassword(description: String, cause: (any Error)?)
    /// The policy of the application refuses the new one, or it is empty, too long, or has control characters.
    case CustomValidationError(message: String, cause: (any Error)?)

    /// What was wrong.
    public var errorDescription: String? {
        switch self {
        case .InvalidPassword(let text, _), .OldPasswordEqualsNewPassword(let text, _),
            .CustomValidationError(let text, _):
            text
        }
    }
}
