// swift-format-ignore: AlwaysUseLowerCamelCase
/// Failure to get an operation for a payload.
@nonexhaustive
public enum OutOfBandOperationError: MobileAuthenticationClientError {
    /// The decrypted content is no payload, or it points to a server that this device does not know.
    case MalformedPayload(cause: (any Error)?)
    /// The payload is encrypted for another device, or was changed.
    case DecryptionError(cause: (any Error)?)
    /// The token was redeemed before: by a second scan, or by an attacker who saw the code.
    case TokenAlreadyRedeemed(cause: (any Error)?)
    /// The token has expired.
    case TokenExpired(cause: (any Error)?)
    /// No connection, no trusted TLS, time-out, or an unexpected HTTP status (then the cause is ``HTTPStatusError``).
    case NetworkError(cause: (any Error)?)
    /// The device has no screen lock.
    case NoDeviceLockError(cause: (any Error)?)
    /// The device or the application was tampered with.
    case DeviceProtectionError(cause: (any Error)?)
    /// Any other failure, also wrong use (then the cause is ``MissingParameterError``).
    case Unknown(cause: (any Error)?)
}

extension OutOfBandOperationError: OperationFailure {
    var facts: ErrorFacts {
        switch self {
        case .MalformedPayload(let cause): (20, .malformedPayload, cause)
        case .DecryptionError(let cause): (21, .undecryptable, cause)
        case .TokenAlreadyRedeemed(let cause): (22, .alreadyRedeemed, cause)
        case .TokenExpired(let cause): (23, .tokenExpired, cause)
        case .NetworkError(let cause): (2, .network(cause), cause)
        case .NoDeviceLockError(let cause): (3, .noDeviceLock, cause)
        case .DeviceProtectionError(let cause): (4, .untrustedDevice, cause)
        case .Unknown(let cause): (99, (cause as? ServerStatus)?.texts.description ?? .failed, cause)
        }
    }
}
