// swift-format-ignore: AlwaysUseLowerCamelCase
/// Failure of a password change; the old password stays.
@nonexhaustive
public enum PasswordChangeError: MobileAuthenticationClientError {
    /// Too many wrong attempts; only deregistration or local deletion and a new registration help.
    case PasswordLocked(cause: (any Error)?)
    /// The user has no password authenticator on this device.
    case PasswordNotEnrolled(cause: (any Error)?)
    /// The user, or the application for the user, gave up.
    case UserCanceled(cause: (any Error)?)
    /// The device has no screen lock.
    case NoDeviceLockError(cause: (any Error)?)
    /// The device or the application was tampered with.
    case DeviceProtectionError(cause: (any Error)?)
    /// Everything else: no answer in time, a key that is gone (then the cause is ``FidoFailure``), wrong use (then it
    /// is ``MissingParameterError`` or a sibling).
    case Unknown(cause: (any Error)?)
}

extension PasswordChangeError {
    /// Code of the FIDO UAF client API: `userLockout`, `userCanceled`, or the code of a ``FidoFailure``.
    public var fidoErrorCode: FidoErrorCode? {
        switch self {
        case .PasswordLocked: .userLockout
        case .UserCanceled: .userCanceled
        case .Unknown(let cause): (cause as? FidoFailure)?.code
        default: nil
        }
    }
}

extension PasswordChangeError: OperationFailure {
    var facts: ErrorFacts {
        switch self {
        case .NoDeviceLockError(let cause): (3, .noDeviceLock, cause)
        case .DeviceProtectionError(let cause): (4, .untrustedDevice, cause)
        case .PasswordLocked(let cause): (40, .passwordLocked, cause)
        case .PasswordNotEnrolled(let cause): (41, .noPassword, cause)
        case .UserCanceled(let cause): (42, .canceled, cause)
        case .Unknown(let cause): (99, .failed, cause)
        }
    }
}
