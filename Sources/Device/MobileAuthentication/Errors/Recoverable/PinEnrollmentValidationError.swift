public import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// What the policy of an application says against the new PIN of a PIN enrolment.
public enum PinEnrollmentValidationError: LocalizedError, Sendable {
    /// The PIN is not wanted; the message is shown to the user.
    case InvalidPin(message: String, cause: (any Error)?)

    /// What was wrong.
    public var errorDescription: String? {
        switch self {
        case .InvalidPin(let message, _): message
        }
    }
}
