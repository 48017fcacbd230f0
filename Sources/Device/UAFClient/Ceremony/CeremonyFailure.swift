package import UAF

/// Failure of an operation with a server; the public errors are made from it.
package enum CeremonyFailure: Error {
    /// The UAF protocol failed.
    case fido(ClientErrorCode, cause: (any Error)? = nil)
    /// The user canceled and says that they did not begin the operation.
    case denied
    /// The server was not reached, or did not answer as it must.
    case network(any Error)
    /// The same name is registered with another server.
    case registeredInAnotherServer
    /// The server refused a signed request because of the time in it.
    case clockSkew(any Error)
    /// The server lacks a service.
    case unsupportedByServer(cause: (any Error)?)
    /// The server does not know the user on this device.
    case unknownToServer(cause: (any Error)?)
    /// The device has no screen lock.
    case noDeviceLock
    /// The operation was used in a way that can never work.
    case wrongUse(any Error)
    /// No statement about the application could be made, or the server has not taken it, or misses one.
    case attestation(any Error)
    /// The device could not do its part.
    case device(any Error)

    /// The user, or the application for the user, gave up.
    package static var canceled: CeremonyFailure { .fido(.userCancelled) }

    /// The server did not answer; a canceled exchange is a cancellation.
    package static func unreachable(_ error: any Error) -> CeremonyFailure {
        error is CancellationError ? .canceled : .network(error)
    }

    /// Code that is reported to the server.
    package var reportedCode: ClientErrorCode {
        switch self {
        case .fido(let code, _): code
        case .denied: .userCancelled
        default: .unknown
        }
    }
}

/// Cause of a failure that a machine has found itself; the SDK has a public error for each.
package enum CeremonyFault: Error, Hashable {
    /// A parameter that the operation needs was not given.
    case missingParameter(String)
    /// A parameter has a value that cannot be used.
    case invalidParameter(String)
    /// Options that exclude each other were asked for.
    case conflictingOptions
    /// The address of a server would be reached without TLS.
    case insecureAddress
    /// The user has no key on this device.
    case unregisteredUser
    /// The AppID of a request belongs to another server.
    case foreignAppID
    /// The server refused a request or a response with this status.
    case refused(StatusCode)
    /// A payload points to a server that this device does not know.
    case unknownServer
    /// The server began another kind of operation than the address of its token names.
    case unhandledOperation
}

/// Cause of a failure that knows whether the same request may succeed later; any other may.
package protocol CeremonyCause: Error {
    /// Whether the cause passes.
    var isPassing: Bool { get }
}
