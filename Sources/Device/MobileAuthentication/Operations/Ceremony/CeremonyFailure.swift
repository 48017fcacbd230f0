/// Failure of an operation with a server; the public errors are made from it.
package enum CeremonyFailure: Error {
    /// The UAF protocol failed.
    case fido(FidoErrorCode, cause: (any Error)? = nil)
    /// The user canceled and says that they did not begin the operation.
    case denied
    /// The server was not reached, or did not answer as it must.
    case network(any Error)
    /// The same name is registered with another server.
    case registeredInAnotherServer
    /// The server refused a signed request because of the time in it.
    case clockSkew(ClockSkewError)
    /// The server lacks a service.
    case unsupportedByServer(cause: (any Error)?)
    /// The server does not know the user on this device.
    case unknownToServer(cause: (any Error)?)
    /// The device has no screen lock.
    case noDeviceLock
    /// The operation was used in a way that can never work.
    case wrongUse(any Error)
    /// The device could not do its part.
    case device(any Error)

    /// The user, or the application for the user, gave up.
    package static var canceled: CeremonyFailure { .fido(.userCanceled) }

    /// The server did not answer; a canceled exchange is a cancellation.
    static func unreachable(_ error: any Error) -> CeremonyFailure {
        error is CancellationError ? .canceled : .network(error)
    }

    /// Code that is reported to the server.
    var reportedCode: FidoErrorCode {
        switch self {
        case .fido(let code, _): code
        case .denied: .userCanceled
        default: .unknown
        }
    }
}

extension OperationError {
    /// The public form of a failure.
    init(_ failure: CeremonyFailure) {
        self =
            switch failure {
            case .fido(let code, let cause): .FidoError(errorCode: code, cause: cause)
            case .denied: .FidoError(errorCode: .userCanceled, cause: nil)
            case .network(let cause): .NetworkError(cause: cause)
            case .clockSkew(let cause): .ClockSkewTooBig(cause: cause)
            case .unsupportedByServer(let cause): .OperationNotSupportedByBackend(cause: cause)
            case .unknownToServer(let cause): .UserNotRegisteredInServer(cause: cause)
            case .noDeviceLock: .NoDeviceLockError(cause: nil)
            case .registeredInAnotherServer: .UserAlreadyRegisteredInAnotherServer(cause: nil)
            case .wrongUse(let cause), .device(let cause): .Unknown(cause: cause)
            }
    }
}

extension AuthenticationError {
    /// The public form of a failure, with the session that the server had opened.
    init(_ failure: CeremonyFailure, session: (any SessionProvider)?) {
        self =
            switch failure {
            case .fido(let code, let cause): .FidoError(errorCode: code, cause: cause, sessionProvider: session)
            case .denied: .FidoError(errorCode: .userCanceled, cause: nil, sessionProvider: session)
            case .network(let cause): .NetworkError(cause: cause, sessionProvider: session)
            case .clockSkew(let cause): .Unknown(cause: cause)
            case .unsupportedByServer(let cause): .Unknown(cause: cause)
            case .unknownToServer(let cause): .Unknown(cause: cause)
            case .noDeviceLock: .NoDeviceLockError(cause: nil)
            case .registeredInAnotherServer: .Unknown(cause: nil)
            case .wrongUse(let cause), .device(let cause): .Unknown(cause: cause)
            }
    }
}
