package import UAF

/// Failure of an operation with a server; the public errors are made from it.
package enum CeremonyFailure: Error {
    case fido(ClientErrorCode, cause: (any Error)? = nil)
    /// The user canceled and says that they did not begin the operation.
    case denied
    /// The server was not reached, or did not answer as it must.
    case network(any Error)
    /// The same name is registered with another server.
    case registeredInAnotherServer
    /// The server refused a signed request because of the time in it.
    case clockSkew(any Error)
    case unsupportedByServer(cause: (any Error)?)
    case unknownToServer(cause: (any Error)?)
    case noDeviceLock
    /// The operation was used in a way that can never work.
    case wrongUse(any Error)
    /// No statement about the application could be made, or the server has not taken it, or misses one.
    case attestation(any Error)
    case device(any Error)

    package static var canceled: CeremonyFailure { .fido(.userCancelled) }

    /// The server did not answer; a canceled exchange is a cancellation.
    package static func unreachable(_ error: any Error) -> CeremonyFailure {
        error is CancellationError ? .canceled : .network(error)
    }

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
    case missingParameter(String)
    case invalidParameter(String)
    case conflictingOptions
    /// The address of a server would be reached without TLS.
    case insecureAddress
    /// The user has no key on this device.
    case unregisteredUser
    /// The AppID of a request belongs to another server.
    case foreignAppID
    /// A server names a user with characters that are not shown, or that change what is shown.
    case unreadableUsername
    case refused(StatusCode)
    /// A payload points to a server that this device does not know.
    case unknownServer
    /// The server began another kind of operation than the address of its token names.
    case unhandledOperation
}

/// Cause of a failure that knows whether the same request may succeed later; any other may.
package protocol CeremonyCause: Error {
    var isPassing: Bool { get }
}
