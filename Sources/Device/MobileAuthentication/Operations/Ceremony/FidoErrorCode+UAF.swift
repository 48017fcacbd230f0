import UAF

extension FidoErrorCode {
    /// The code with the same number.
    init(_ code: ClientErrorCode) {
        self = UInt8(exactly: code.rawValue).flatMap(FidoErrorCode.init(rawValue:)) ?? .unknown
    }

    /// What an authenticator specific module would have said (FIDO UAF ASM API 1.1, 3.2; `fido-uaf` 4.3).
    var asmStatus: ASMStatus {
        switch self {
        case .noError: .ok
        case .userCanceled: .userCancelled
        case .authenticatorAccessDenied: .accessDenied
        case .invalidTransactionContent: .cannotRenderTransactionContent
        case .keyDisappearedPermanently: .keyDisappearedPermanently
        case .userNotResponsive: .userNotResponsive
        case .insufficientAuthenticatorResources: .insufficientAuthenticatorResources
        case .userLockout: .userLockout
        case .userNotEnrolled: .userNotEnrolled
        default: .error
        }
    }
}
