import UAF
import UAFClient

// The public forms of what the machines end with.

extension CeremonyFault {
    fileprivate var publicError: any Error {
        switch self {
        case .missingParameter(let name): MissingParameterError(name)
        case .invalidParameter(let name): InvalidParameterError(name)
        case .conflictingOptions: ConflictingOptionsError()
        case .insecureAddress: InsecureAddressError()
        case .unregisteredUser: UnregisteredUserError()
        case .foreignAppID: UntrustedFacetError(isOfAnotherServer: true)
        case .refused(let status): ServerStatus(Int(status.rawValue))
        case .unreadableUsername: UnreadableUserNameError()
        case .unknownServer: UnknownServerError()
        case .unhandledOperation: UnhandledOperationError(handler: nil)
        }
    }
}

extension Error {
    /// The error as an application finds it: the public one where a machine or the store has found the fault.
    var publicForm: any Error {
        if let fault = self as? CeremonyFault { return fault.publicError }
        if let damage = DamagedFileError(behind: self) { return damage }
        return StoredKeysError(behind: self) ?? self
    }
}

extension OperationError {
    init(_ failure: CeremonyFailure) {
        self =
            switch failure {
            case .fido(let code, let cause): .FidoError(errorCode: FidoErrorCode(code), cause: cause?.publicForm)
            case .denied: .FidoError(errorCode: .userCanceled, cause: nil)
            case .network(let cause): .NetworkError(cause: cause.publicForm)
            case .clockSkew(let cause): .ClockSkewTooBig(cause: cause)
            case .unsupportedByServer(let cause): .OperationNotSupportedByBackend(cause: cause)
            case .unknownToServer(let cause): .UserNotRegisteredInServer(cause: cause)
            case .noDeviceLock: .NoDeviceLockError(cause: nil)
            case .attestation(let cause): .AppAttestationError(cause: cause)
            case .registeredInAnotherServer: .UserAlreadyRegisteredInAnotherServer(cause: nil)
            case .wrongUse(let cause), .device(let cause): .Unknown(cause: cause.publicForm)
            }
    }
}

extension AuthenticationError {
    init(_ failure: CeremonyFailure, session: (any SessionProvider)?) {
        self =
            switch failure {
            case .fido(let code, let cause):
                .FidoError(errorCode: FidoErrorCode(code), cause: cause?.publicForm, sessionProvider: session)
            case .denied: .FidoError(errorCode: .userCanceled, cause: nil, sessionProvider: session)
            case .network(let cause): .NetworkError(cause: cause.publicForm, sessionProvider: session)
            case .clockSkew(let cause): .Unknown(cause: cause)
            case .unsupportedByServer(let cause): .Unknown(cause: cause)
            case .unknownToServer(let cause): .Unknown(cause: cause)
            case .noDeviceLock: .NoDeviceLockError(cause: nil)
            case .attestation(let cause): .AppAttestationError(cause: cause)
            case .registeredInAnotherServer: .Unknown(cause: nil)
            case .wrongUse(let cause), .device(let cause): .Unknown(cause: cause.publicForm)
            }
    }
}

extension CeremonyFailure {
    /// Cause for an error that has no case for this failure.
    var publicCause: (any Error)? {
        switch self {
        case .fido(.userCancelled, _), .denied: CancellationError()
        case .fido(let code, let cause): cause?.publicForm ?? FidoFailure(code: FidoErrorCode(code))
        case .network(let cause), .wrongUse(let cause), .device(let cause): cause.publicForm
        case .clockSkew(let cause), .attestation(let cause): cause
        case .unknownToServer(let cause), .unsupportedByServer(let cause): cause
        case .registeredInAnotherServer, .noDeviceLock: nil
        }
    }
}

extension RequestAnswer {
    /// Whether the server does not accept who asks, or what they may do (status 1401, HTTP status 401).
    var isUnauthorized: Bool {
        switch self {
        case .refused(.fido(_, let fault as CeremonyFault)): fault == .refused(.unauthorized)
        case .unreachable(let error as HTTPStatusError): error.statusCode == 401
        default: false
        }
    }
}
