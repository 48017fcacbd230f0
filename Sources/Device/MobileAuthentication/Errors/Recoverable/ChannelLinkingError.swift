public import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Why a user is asked once more for the digits of the other screen.
@nonexhaustive
public enum ChannelLinkingError: LocalizedError, Sendable {
    /// The text was not so many digits.
    case InvalidDigits(description: String, cause: (any Error)?)

    /// What was wrong, in the language of the user.
    public var errorDescription: String? {
        switch self {
        case .InvalidDigits(let description, _): description
        }
    }
}
