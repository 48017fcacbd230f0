// swift-format-ignore: AlwaysUseLowerCamelCase
/// Failure of a PIN change; the old PIN stays.
@nonexhaustive
public enum PinChangeError: MobileAuthenticationClientError {
    /// Too many wrong attempts; only deregistration or local deletion and a new registration help.
    case PinLocked(cause: (any Error)?)
    /// The user has no PIN authenticator on this device.
    case PinNotEnrolled(cause: (any Error)?)
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

extension PinChangeError {
    /// Code of the FIDO UAF client API: `userLockout`, `userCanceled`, or the code of a ``FidoFailure``.
    public var fidoErrorCode: FidoErrorCode? {
        switch self {
        case .PinLocked: .userLockout
        case .UserCanceled: .userCanceled
        case .Unknown(let cause): (cause as? FidoFailure)?.code
        default: nil
        }
    }
}

extension PinChangeError: OperationFailure {
    var facts: ErrorFacts {
        switch self {
        case .NoDeviceLockError(let cause): (3, .noDeviceLock, cause)
        case .DeviceProtectionError(let cause): (4, .untrustedDevice, cause)
        case .PinLocked(let cause): (40, .pinLocked, cause)
        case .PinNotEnrolled(let cause): (41, .noPin, cause)
        case .UserCanceled(let cause): (42, .canceled, cause)
        case .Unknown(let cause): (99, .failed, cause)
        }
    }
}
