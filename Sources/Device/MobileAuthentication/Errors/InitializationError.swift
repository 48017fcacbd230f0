import Foundation

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
    /// Android only: the device is rooted.
    case RootedError(cause: (any Error)?)
    /// Android only: the lock screen was changed, which destroyed the keys.
    case LockScreenHasChangedError(cause: (any Error)?)
    /// Any other failure, also wrong use (then the cause is ``MissingParameterError``).
    case Unknown(cause: (any Error)?)
}

extension InitializationError {
    /// `MobileAuthentication.InitializationError`.
    public static var errorDomain: String { "MobileAuthentication.InitializationError" }

    /// A number that stays the same for each case.
    public var errorCode: Int { facts.code }

    /// Localized description of the error, in one sentence.
    public var errorDescription: String? { facts.text.localized }

    /// Recovery suggestion: for a missing screen lock in words for the user, for missing hardware in words for the
    /// developers of the application.
    public var recoverySuggestion: String? {
        switch self {
        case .NoDeviceLockError: SDKText.setDeviceLock.localized
        case .HardwareError: SDKText.hardwareWaysOut.localized
        default: nil
        }
    }

    /// Underlying error that led to this one, if any.
    public var cause: (any Error)? { facts.cause }

    /// Always nil: no UAF exchange has taken place yet.
    public var fidoErrorCode: FidoErrorCode? { nil }

    /// Always false: something has to change first.
    public var isRetryable: Bool { false }

    private var facts: (code: Int, text: SDKText, cause: (any Error)?) {
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
