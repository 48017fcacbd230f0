import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Failure to delete an authenticator from the device.
public enum DeleteAuthenticatorError: MobileAuthenticationClientError {
    /// The AAID names no authenticator of this SDK.
    case InvalidAaid(cause: (any Error)?)
    /// Any other failure.
    case Unknown(cause: (any Error)?)
}

extension DeleteAuthenticatorError {
    /// `MobileAuthentication.DeleteAuthenticatorError`.
    public static var errorDomain: String { "MobileAuthentication.DeleteAuthenticatorError" }

    /// A number that stays the same for each case.
    public var errorCode: Int {
        switch self {
        case .InvalidAaid: 30
        case .Unknown: 99
        }
    }

    /// Localized description of the error, in one sentence.
    public var errorDescription: String? {
        switch self {
        case .InvalidAaid: SDKText.unknownAuthenticator.localized
        case .Unknown: SDKText.notDeleted.localized
        }
    }

    /// Underlying error that led to this one, if any.
    public var cause: (any Error)? {
        switch self {
        case .InvalidAaid(let cause), .Unknown(let cause): cause
        }
    }

    /// Always nil: deletion is local.
    public var fidoErrorCode: FidoErrorCode? { nil }

    /// Always false.
    public var isRetryable: Bool { false }
}
