// swift-format-ignore: AlwaysUseLowerCamelCase
/// Failure to delete an authenticator from the device.
public enum DeleteAuthenticatorError: MobileAuthenticationClientError {
    /// The AAID names no authenticator of this SDK.
    case InvalidAaid(cause: (any Error)?)
    /// Any other failure.
    case Unknown(cause: (any Error)?)
}

extension DeleteAuthenticatorError: FactualError {
    var facts: ErrorFacts {
        switch self {
        case .InvalidAaid(let cause): (30, .unknownAuthenticator, cause)
        case .Unknown(let cause): (99, .notDeleted, cause)
        }
    }
}
