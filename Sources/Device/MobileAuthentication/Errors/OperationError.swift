// swift-format-ignore: AlwaysUseLowerCamelCase
/// Failure of a registration or a deregistration.
public enum OperationError: MobileAuthenticationClientError {
    /// The UAF protocol failed: cancellation, lockout, policy, facet, or a refusal by the server.
    case FidoError(errorCode: FidoErrorCode, cause: (any Error)?)
    /// No connection, no trusted TLS, time-out, or an unexpected HTTP status (then the cause is ``HTTPStatusError``).
    case NetworkError(cause: (any Error)?)
    /// The device has no screen lock.
    case NoDeviceLockError(cause: (any Error)?)
    /// The device or the application was tampered with.
    case DeviceProtectionError(cause: (any Error)?)
    /// The server asked for an attestation, of the application or of the chip that holds a key, and did not get or
    /// accept one (then the cause is a ``ServerStatus``), or the application could make none (then it is the error of
    /// the provider).
    case AppAttestationError(cause: (any Error)?)
    /// The clocks of device and server differ too much for a signed request.
    case ClockSkewTooBig(cause: (any Error)?)
    /// The server lacks the service that the operation needs.
    case OperationNotSupportedByBackend(cause: (any Error)?)
    /// The user name is already registered with another server.
    case UserAlreadyRegisteredInAnotherServer(cause: (any Error)?)
    /// The server does not know the user of a deregistration on this device.
    case UserNotRegisteredInServer(cause: (any Error)?)
    /// Android only: the StrongBox could not sign.
    case SigningFailedWithStrongBox(cause: (any Error)?)
    /// Any other failure, also wrong use (then the cause is ``MissingParameterError``).
    case Unknown(cause: (any Error)?)
}

extension OperationError {
    /// The code of a ``FidoError(errorCode:cause:)``.
    public var fidoErrorCode: FidoErrorCode? {
        if case .FidoError(let code, _) = self { code } else { nil }
    }
}

extension OperationError: OperationFailure {
    var facts: ErrorFacts {
        switch self {
        case .FidoError(let code, let cause): (1, code.text(with: cause), cause)
        case .NetworkError(let cause): (2, .network(cause), cause)
        case .NoDeviceLockError(let cause): (3, .noDeviceLock, cause)
        case .DeviceProtectionError(let cause): (4, .untrustedDevice, cause)
        case .AppAttestationError(let cause): (5, .unattested(cause), cause)
        case .ClockSkewTooBig(let cause): (6, .wrongClock, cause)
        case .OperationNotSupportedByBackend(let cause): (7, .unsupportedByServer, cause)
        case .UserAlreadyRegisteredInAnotherServer(let cause):
            (8, .registeredElsewhere, cause)
        case .UserNotRegisteredInServer(let cause): (9, .unknownUser, cause)
        case .SigningFailedWithStrongBox(let cause): (10, .hardwareCannotSign, cause)
        case .Unknown(let cause): (99, .failed, cause)
        }
    }
}
