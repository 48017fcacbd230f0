// swift-format-ignore: AlwaysUseLowerCamelCase
/// Failure of a change of the device information; the record on this device is as before.
@nonexhaustive
public enum DeviceInformationChangeError: MobileAuthenticationClientError {
    /// No connection, no trusted TLS, time-out, or an unexpected HTTP status (then the cause is ``HTTPStatusError``).
    case NetworkError(cause: (any Error)?)
    /// The device has no screen lock.
    case NoDeviceLockError(cause: (any Error)?)
    /// The device or the application was tampered with.
    case DeviceProtectionError(cause: (any Error)?)
    /// The clocks of device and server differ too much for a signed request (the cause is ``ClockSkewError``).
    case ClockSkewTooBig(cause: (any Error)?)
    /// Another device of the user has that name.
    case NameAlreadyExists(cause: (any Error)?)
    /// Neither this device nor the server has a record of the device to change.
    case NotFound(cause: (any Error)?)
    /// Any other failure, also wrong use (then the cause is ``MissingParameterError``).
    case Unknown(cause: (any Error)?)
}

extension DeviceInformationChangeError: OperationFailure {
    var facts: ErrorFacts {
        switch self {
        case .NetworkError(let cause): (2, .network(cause), cause)
        case .NoDeviceLockError(let cause): (3, .noDeviceLock, cause)
        case .DeviceProtectionError(let cause): (4, .untrustedDevice, cause)
        case .ClockSkewTooBig(let cause): (6, .wrongClock, cause)
        case .NameAlreadyExists(let cause): (24, .nameInUse, cause)
        case .NotFound(let cause): (25, .unknownDevice, cause)
        case .Unknown(let cause): (99, .failed, cause)
        }
    }
}
