import MobileAuthentication

extension FidoErrorCode {
    /// The name of the code in the SDK, for example `userCanceled`.
    var name: String {
        switch self {
        case .noError: "noError"
        case .waitUserAction: "waitUserAction"
        case .insecureTransport: "insecureTransport"
        case .userCanceled: "userCanceled"
        case .unsupportedVersion: "unsupportedVersion"
        case .noSuitableAuthenticator: "noSuitableAuthenticator"
        case .protocolError: "protocolError"
        case .untrustedFacetId: "untrustedFacetId"
        case .keyDisappearedPermanently: "keyDisappearedPermanently"
        case .authenticatorAccessDenied: "authenticatorAccessDenied"
        case .invalidTransactionContent: "invalidTransactionContent"
        case .userNotResponsive: "userNotResponsive"
        case .insufficientAuthenticatorResources: "insufficientAuthenticatorResources"
        case .userLockout: "userLockout"
        case .userNotEnrolled: "userNotEnrolled"
        case .unknown: "unknown"
        }
    }
}

extension CommandFailure {
    /// The name of the FIDO client error code, where the failure has one.
    var fidoName: String? {
        fidoErrorCode.flatMap { UInt8(exactly: $0) }.flatMap(FidoErrorCode.init)?.name
    }
}
