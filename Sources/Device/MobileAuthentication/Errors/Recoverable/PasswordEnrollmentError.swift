public import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Why a new password was refused; the user is asked again.
public enum PasswordEnrollmentError: LocalizedError, Sendable {
    /// The policy of the application refuses it, or it is empty, too long, or has control characters.
    case CustomValidationError(message: String, cause: (any Error)?)

    /// What was wrong.
    public var errorDescription: String? {
        switch self {
        case .CustomValidationError(let text, _): text
        }
    }
}
