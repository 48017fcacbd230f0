// swift-format-ignore: AlwaysUseLowerCamelCase
/// Failure to make a client.
public enum InitializationError: MobileAuthenticationClientError {
    /// The device or the application was tampered with.
    case DeviceProtectionError(cause: (any Error)?)
    /// The device has no screen lock.
    case NoDeviceLockError(cause: (any Error)?)
    /// There is no hardware that protects keys, or it is out of reach, and software keys were not chosen; the cause is
    /// a `KeyVaultError`, and `recoverySuggestion` names the ways out.
    case HardwareError(cause: (any Error)?)
    /// The device is rooted or jailbroken, by guards whose policy says throw (the cause is a `TamperingError`).
    case RootedError(cause: (any Error)?)
    /// Android only: the lock screen was changed, which destroyed the keys.
    case LockScreenHasChangedError(cause: (any Error)?)
    /// Any other failure, also wrong use (then the cause is ``MissingParameterError``).
    case Unknown(cause: (any Error)?)
}

extension InitializationError {
    /// Recovery suggestion: for a missing screen lock in words for the user, for missing hardware in words for the
    /// developers of the application; for damaged data in words for the user.
    public var recoverySuggestion: String? {
        switch self {
        case .NoDeviceLockError: SDKText.setDeviceLock.localized
        case .HardwareError: SDKText.hardwareWaysOut.localized
        default: DamagedFileError(behind: cause)?.recoverySuggestion
        }
    }
}

extension InitializationError: OperationFailure {
    var facts: ErrorFacts {
        switch self {
        case .NoDeviceLockError(let cause): (3, .noDeviceLock, cause)
        case .DeviceProtectionError(let cause): (4, .untrustedDevice, cause)
        case .HardwareError(let cause): (20, .noHardware, cause)
        case .RootedError(let cause): (21, .rooted, cause)
        case .LockScreenHasChangedError(let cause): (22, .lockScreenChanged, cause)
        case .Unknown(let cause): (99, .noClient, cause)
        }
    }
}
