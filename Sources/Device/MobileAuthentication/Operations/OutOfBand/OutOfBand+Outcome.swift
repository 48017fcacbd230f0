import BackendAPI
import UAF
import UAFClient

/// Result of redeeming a token.
enum OutOfBandOutcome: Sendable {
    /// The server waits for the answer to a registration.
    case registration(RegistrationRequest, OutOfBandRedemption)
    /// The server waits for the answer to an authentication.
    case authentication(AuthenticationRequest, OutOfBandRedemption)
    /// The server has removed registrations, and those that it named are gone here as well.
    case deregistered
}

/// Circumstances of a request that was received for a token.
struct OutOfBandRedemption: Sendable {
    /// Expiry of the request on the monotonic clock; nil when the server has not said.
    let expiry: Duration?
    /// The server that gave it; the answer goes there.
    let server: ServerAddress
    /// Channel linking that the payload demands beside the request.
    let linking: ChannelLinkingDemand?
    /// Channel binding data of the connection that the request came over.
    var channelBinding = ChannelBinding()

    fileprivate func over(_ channelBinding: ChannelBinding) -> OutOfBandRedemption {
        var redemption = self
        redemption.channelBinding = channelBinding
        return redemption
    }
}

extension OutOfBandOutcome {
    /// The same outcome, with a request that came over a connection.
    func over(_ channelBinding: ChannelBinding) -> OutOfBandOutcome {
        switch self {
        case .registration(let request, let redemption): .registration(request, redemption.over(channelBinding))
        case .authentication(let request, let redemption): .authentication(request, redemption.over(channelBinding))
        case .deregistered: .deregistered
        }
    }
}

extension LinkingDemand {
    /// The demand of a payload.
    init(_ demand: ChannelLinkingDemand) {
        self.init(digitCount: demand.length, shownDigits: demand.digits)
    }
}

/// Failure on the path from a payload to an operation; the public errors are made from it.
enum OutOfBandFailure: Error {
    /// No payload, or one that points to a server that this device does not know.
    case malformed(any Error)
    /// None of the keys of this device opens it.
    case undecryptable((any Error)?)
    /// The token has expired.
    case tokenExpired(ServerStatus)
    /// The token was redeemed before.
    case alreadyRedeemed(ServerStatus)
    /// The server began an operation that the application has no handler for.
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
            case .ceremony(.network(let cause)): .NetworkError(cause: cause.publicForm)
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
            case .fido(let code, let cause): .FidoError(errorCode: FidoErrorCode(code), cause: cause?.publicForm)
            case .denied: .FidoError(errorCode: .userCanceled, cause: nil)
            case .network(let cause): .NetworkError(cause: cause.publicForm)
            case .noDeviceLock: .NoDeviceLockError(cause: nil)
            case .clockSkew(let cause): .ClockSkewTooBig(cause: cause)
            case .registeredInAnotherServer: .UserAlreadyRegisteredInAnotherServer(cause: nil)
            default: .Unknown(cause: failure.publicCause)
            }
    }
}
