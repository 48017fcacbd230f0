public import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Why a new PIN was refused; the user is asked again.
public enum PinEnrollmentError: LocalizedError, Sendable {
    /// Something other than digits, or not the right number of them.
    case InvalidPinFormat(description: String, cause: (any Error)?)
    /// The policy of the application, or the list of common PINs, refuses it.
    case CustomValidationError(message: String, cause: (any Error)?)

    /// What was wrong.
    public var errorDescription: String? {
        switch self {
        case .InvalidPinFormat(let text, _), .CustomValidationError(let text, _): text
        }
    }
}
