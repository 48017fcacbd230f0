public import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Why a finger was not accepted; the user is asked again.
public enum FingerprintUserVerificationError: LocalizedError, Sendable {
    /// The sensor did not recognise the finger.
    case FingerprintNotRecognized(description: String, cause: (any Error)?)

    /// What was wrong.
    public var errorDescription: String? {
        switch self {
        case .FingerprintNotRecognized(let text, _): text
        }
    }
}
