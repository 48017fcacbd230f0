// swift-format-ignore: AlwaysUseLowerCamelCase
/// Failure to decode an out-of-band payload.
@nonexhaustive
public enum OutOfBandPayloadError: MobileAuthenticationClientError {
    /// The input is no payload of a version and content type that this SDK knows.
    case MalformedPayload(cause: (any Error)?)
    /// For applications that share code, as the next two: decoding uses no key, so it never comes.
    case DecryptionError(cause: (any Error)?)
    /// The device has no screen lock; it never comes.
    case NoDeviceLockError(cause: (any Error)?)
    /// The device or the application was tampered with; it never comes.
    case DeviceProtectionError(cause: (any Error)?)
    /// Any other failure, also wrong use (then the cause is ``MissingParameterError``).
    case Unknown(cause: (any Error)?)
}

extension OutOfBandPayloadError: FactualError {
    var facts: ErrorFacts {
        switch self {
        case .MalformedPayload(let cause): (20, .malformedPayload, cause)
        case .DecryptionError(let cause): (21, .undecryptable, cause)
        case .NoDeviceLockError(let cause): (3, .noDeviceLock, cause)
        case .DeviceProtectionError(let cause): (4, .untrustedDevice, cause)
        case .Unknown(let cause): (99, .failed, cause)
        }
    }
}
