public import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Why the answer to a PIN change was refused; the user is asked again.
public enum PinChangeRecoverableError: LocalizedError, Sendable {
    /// The old PIN was wrong.
    case InvalidPin(description: String, cause: (any Error)?)
    /// The new PIN has something other than digits, or not the right number of them.
    case InvalidPinFormat(description: String, cause: (any Error)?)
    /// The new PIN is the old one.
    case OldPinEqualsNewPin(description: String, cause: (any Error)?)
    /// The policy of the application, or the list of common PINs, refuses the new PIN.
    case CustomValidationError(message: String, cause: (any Error)?)

    /// What was wrong.
    public var errorDescription: String? {
        switch self {
        case .InvalidPin(let text, _), .InvalidPinFormat(let text, _), .OldPinEqualsNewPin(let text, _),
            .CustomValidationError(let text, _):
            text
        }
    }
}
