import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Failure to decode an out-of-band payload.
@nonexhaustive
public enum OutOfBandPayloadError: MobileAuthenticationClientError {
    /// The input is no payload of a version and content type that this SDK knows.
    case MalformedPayload(cause: (any Error)?)
    /// For applications that share code: decoding does not decrypt, so it never comes.
    case DecryptionError(cause: (any Error)?)
    /// The device has no screen lock.
    case NoDeviceLockError(cause: (any Error)?)
    /// The device or the application was tampered with.
    case DeviceProtectionError(cause: (any Error)?)
    /// Any other failure, also wrong use (then the cause is ``MissingParameterError``).
    case Unknown(cause: (any Error)?)
}

extension OutOfBandPayloadError {
    /// `MobileAuthentication.OutOfBandPayloadError`.
    public static var errorDomain: String { "MobileAuthentication.OutOfBandPayloadError" }

    /// A number that stays the same for each case, equal to the number of the same case of the other errors.
    public var errorCode: Int { facts.code }

    /// Localized description of the error, in one sentence.
    public var errorDescription: String? { facts.text.localized }

    /// Underlying error that led to this one, if any.
    public var cause: (any Error)? { facts.cause }

    /// Always nil: the UAF protocol takes no part in it.
    public var fidoErrorCode: FidoErrorCode? { nil }

    /// Whether the operation was canceled.
    public var isUserCancellation: Bool { cause is CancellationError }

    /// Always false.
    public var isRetryable: Bool { false }

    private var facts: (code: Int, text: SDKText, cause: (any Error)?) {
        switch self {
        case .MalformedPayload(let cause): (20, .malformedPayload, cause)
        case .DecryptionError(let cause): (21, .undecryptable, cause)
        case .NoDeviceLockError(let cause): (3, .noDeviceLock, cause)
        case .DeviceProtectionError(let cause): (4, .untrustedDevice, cause)
        case .Unknown(let cause): (99, .failed, cause)
        }
    }
}
