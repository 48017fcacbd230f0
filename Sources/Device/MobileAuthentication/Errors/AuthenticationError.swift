// swift-format-ignore: AlwaysUseLowerCamelCase
/// Failure of an authentication.
///
/// A session that the server had already opened is carried by the error, so that the application can go on with the
/// unauthenticated session.
@nonexhaustive
public enum AuthenticationError: MobileAuthenticationClientError {
    /// The UAF protocol failed: cancellation, lockout, policy, facet, or a refusal by the server.
    case FidoError(errorCode: FidoErrorCode, cause: (any Error)?, sessionProvider: (any SessionProvider)?)
    /// No connection, no trusted TLS, time-out, or an unexpected HTTP status (then the cause is ``HTTPStatusError``).
    case NetworkError(cause: (any Error)?, sessionProvider: (any SessionProvider)?)
    /// The server asked for an attestation, of the application or of the chip that holds a key, and did not get or
    /// accept one (then the cause is a ``ServerStatus``), or the application could make none (then it is the error of
    /// the provider).
    case AppAttestationError(cause: (any Error)?)
    /// The device has no screen lock.
    case NoDeviceLockError(cause: (any Error)?)
    /// Any other failure, also wrong use (then the cause is ``MissingParameterError``).
    case Unknown(cause: (any Error)?)
}

extension AuthenticationError {
    /// The code of a ``FidoError(errorCode:cause:sessionProvider:)``.
    public var fidoErrorCode: FidoErrorCode? {
        if case .FidoError(let code, _, _) = self { code } else { nil }
    }

    /// The session that the server had opened before the operation failed.
    public var sessionProvider: (any SessionProvider)? {
        switch self {
        case .FidoError(_, _, let session), .NetworkError(_, let session): session
        default: nil
        }
    }
}

extension AuthenticationError: OperationFailure {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The documented error of a sign-in has no case for it.
    static func DeviceProtectionError(cause: (any Error)?) -> Self { .Unknown(cause: cause) }

    var facts: ErrorFacts {
        switch self {
        case .FidoError(let code, let cause, _): (1, code.text(with: cause), cause)
        case .NetworkError(let cause, _): (2, .network(cause), cause)
        case .NoDeviceLockError(let cause): (3, .noDeviceLock, cause)
        case .AppAttestationError(let cause): (5, .unattested(cause), cause)
        case .Unknown(let cause): (99, .failed, cause)
        }
    }
}
