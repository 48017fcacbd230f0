public import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Why a PIN was not accepted; the user is asked again.
public enum PinUserVerificationError: LocalizedError, Sendable {
    /// The PIN was wrong.
    case InvalidPin(description: String, cause: (any Error)?)

    /// What was wrong.
    public var errorDescription: String? {
        switch self {
        case .InvalidPin(let text, _): text
        }
    }
}
