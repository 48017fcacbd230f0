import BackendAPI
import UAF

/// What came of redeeming a token.
enum OutOfBandOutcome: Sendable {
    /// The server waits for an answer.
    case begun(OutOfBandRedemption)
    /// The server has taken registrations back, and what it named is gone here as well.
    case deregistered
}

/// A request that was got for a token.
struct OutOfBandRedemption: Sendable {
    let request: OperationRequest
    /// When the request stops being valid, on the monotonic clock; nil when the server has not said.
    let expiry: Duration?
    /// The server that gave it; the answer goes there.
    let server: ServerAddress
    /// What the payload demands of the user beside the request.
    let linking: ChannelLinkingDemand?
}

extension LinkingDemand {
    /// The demand of a payload.
    init(_ demand: ChannelLinkingDemand) {
        self.init(digitCount: demand.length, shownDigits: demand.digits)
    }
}

/// How the way from a payload to an operation fails; the public errors are made from it.
enum OutOfBandFailure: Error {
    /// No payload, or one that points to a server that this device does not know.
    case malformed(any Error)
    /// None of the keys of this device opens it.
    case undecryptable((any Error)?)
    /// The token came too late.
    case tokenExpired(ServerStatus)
    /// The token was redeemed before.
    case alreadyRedeemed(ServerStatus)
    /// The server began something that nobody is there for.
    case unhandled(UnhandledOperationError)
    /// Everything else.
    case ceremony(CeremonyFailure)
}

extension OutOfBandOperationError {
    /// The public form of a failure.
    init(_ failure: OutOfBandFailure) {
        self =
            switch failure {
            case .malformed(let cause): .MalformedPayload(cause: cause)
            case .undecryptable(let cause): .DecryptionError(cause: cause)
            case .tokenExpired(let cause): .TokenExpired(cause: cause)
            case .alreadyRedeemed(let cause): .TokenAlreadyRedeemed(cause: cause)
            case .unhandled(let cause): .Unknown(cause: cause)
            case .ceremony(.noDeviceLock): .NoDeviceLockError(cause: nil)
            case .ceremony(.network(let cause)): .NetworkError(cause: cause)
            case .ceremony(let failure): .Unknown(cause: failure.publicCause)
            }
    }
}

extension AuthCloudApiError {
    /// The public form of a failure before the registration.
    init(_ failure: OutOfBandFailure) {
        self =
            switch failure {
            case .malformed(let cause): .MalformedPayload(cause: cause)
            case .undecryptable(let cause): .DecryptionError(cause: cause)
            case .tokenExpired(let cause): .TokenExpired(cause: cause)
            case .alreadyRedeemed(let cause): .TokenAlreadyRedeemed(cause: cause)
            case .unhandled(let cause): .Unknown(cause: cause)
            case .ceremony(let failure): AuthCloudApiError(failure)
            }
    }

    /// The public form of a failure of the registration.
    init(_ failure: CeremonyFailure) {
        self =
            switch failure {
            case .fido(let code, let cause): .FidoError(errorCode: code, cause: cause)
            case .denied: .FidoError(errorCode: .userCanceled, cause: nil)
            case .network(let cause): .NetworkError(cause: cause)
            case .noDeviceLock: .NoDeviceLockError(cause: nil)
            case .clockSkew(let cause): .ClockSkewTooBig(cause: cause)
            case .registeredInAnotherServer: .UserAlreadyRegisteredInAnotherServer(cause: nil)
            default: .Unknown(cause: failure.publicCause)
            }
    }
}

extension CeremonyFailure {
    /// What an error that has no case of its own for this failure carries.
    var publicCause: (any Error)? {
        switch self {
        case .fido(.userCanceled, _), .denied: CancellationError()
        case .fido(let code, let cause): cause ?? FidoFailure(code: code)
        case .network(let cause), .wrongUse(let cause), .device(let cause): cause
        case .clockSkew(let cause): cause
        case .unknownToServer(let cause), .unsupportedByServer(let cause): cause
        case .registeredInAnotherServer, .noDeviceLock: nil
        }
    }
}
