import UAFClient

// The public errors of the path from a payload to an operation.

extension OutOfBandFailure.Unhandled {
    fileprivate var publicError: UnhandledOperationError { UnhandledOperationError(handler: handler) }
}

extension OutOfBandOperationError {
    init(_ failure: OutOfBandFailure) {
        self =
            switch failure {
            case .malformed(let cause): .MalformedPayload(cause: cause.publicForm)
            case .undecryptable(let cause): .DecryptionError(cause: cause)
            case .tokenExpired: .TokenExpired(cause: ServerStatus.requestTimeout)
            case .alreadyRedeemed: .TokenAlreadyRedeemed(cause: ServerStatus.requestInvalid)
            case .unhandled(let operation): .Unknown(cause: operation.publicError)
            case .ceremony(.noDeviceLock): .NoDeviceLockError(cause: nil)
            case .ceremony(.network(let cause)): .NetworkError(cause: cause.publicForm)
            case .ceremony(let failure): .Unknown(cause: failure.publicCause)
            }
    }
}

extension AuthCloudApiError {
    init(_ failure: OutOfBandFailure) {
        self =
            switch failure {
            case .malformed(let cause): .MalformedPayload(cause: cause.publicForm)
            case .undecryptable(let cause): .DecryptionError(cause: cause)
            case .tokenExpired: .TokenExpired(cause: ServerStatus.requestTimeout)
            case .alreadyRedeemed: .TokenAlreadyRedeemed(cause: ServerStatus.requestInvalid)
            case .unhandled(let operation): .Unknown(cause: operation.publicError)
            case .ceremony(let failure): AuthCloudApiError(failure)
            }
    }

    init(_ failure: CeremonyFailure) {
        self =
            switch failure {
            case .fido(let code, let cause): .FidoError(errorCode: FidoErrorCode(code), cause: cause?.publicForm)
            case .denied: .FidoError(errorCode: .userCanceled, cause: nil)
            case .network(let cause): .NetworkError(cause: cause.publicForm)
            case .noDeviceLock: .NoDeviceLockError(cause: nil)
            case .clockSkew(let cause): .ClockSkewTooBig(cause: cause)
            case .attestation(let cause): .AppAttestationError(cause: cause)
            case .registeredInAnotherServer: .UserAlreadyRegisteredInAnotherServer(cause: nil)
            default: .Unknown(cause: failure.publicCause)
            }
    }
}
