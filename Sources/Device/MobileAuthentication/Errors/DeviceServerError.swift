// swift-format-ignore: AlwaysUseLowerCamelCase
/// Failure of a request that goes to each server of this device, for one of the servers.
///
/// Its other names say which operation has failed: ``DeviceInformationCheckError``, ``DeviceInformationSyncError`` and
/// ``PendingOutOfBandOperationsError``.
@nonexhaustive
public enum DeviceServerError: MobileAuthenticationClientError {
    /// No connection, no trusted TLS, time-out, or an unexpected HTTP status (then the cause is ``HTTPStatusError``).
    case NetworkError(server: any Server, cause: (any Error)?)
    /// The device has no screen lock.
    case NoDeviceLockError(cause: (any Error)?)
    /// The device or the application was tampered with.
    case DeviceProtectionError(server: any Server, cause: (any Error)?)
    /// The clocks of device and server differ too much for a signed request (the cause is ``ClockSkewError``).
    case ClockSkewTooBig(server: any Server, cause: (any Error)?)
    /// The server lacks the service that the operation needs.
    case OperationNotSupportedByBackend(server: any Server, cause: (any Error)?)
    /// Another device of the user has the name of this one.
    case NameAlreadyExists(server: any Server, cause: (any Error)?)
    /// The server no longer accepts the key of this device.
    case Forbidden(server: any Server, cause: (any Error)?)
    /// Any other failure, also wrong use (then the cause is ``MissingParameterError``).
    case Unknown(server: (any Server)?, cause: (any Error)?)
}

/// Failure of the comparison of the device information with one of the servers.
public typealias DeviceInformationCheckError = DeviceServerError

/// Failure to repair a mismatch with one of the servers.
public typealias DeviceInformationSyncError = DeviceServerError

/// Failure to fetch the operations pending at one of the servers.
public typealias PendingOutOfBandOperationsError = DeviceServerError

extension DeviceServerError {
    /// The server that the error is about.
    public var server: (any Server)? {
        switch self {
        case .NoDeviceLockError: nil
        case .NetworkError(let server, _),
            .DeviceProtectionError(let server, _),
            .ClockSkewTooBig(let server, _),
            .OperationNotSupportedByBackend(let server, _),
            .NameAlreadyExists(let server, _),
            .Forbidden(let server, _):
            server
        case .Unknown(let server, _): server
        }
    }
}

extension DeviceServerError: FactualError {
    var facts: ErrorFacts {
        switch self {
        case .NetworkError(_, let cause): (2, .network(cause), cause)
        case .NoDeviceLockError(let cause): (3, .noDeviceLock, cause)
        case .DeviceProtectionError(_, let cause): (4, .untrustedDevice, cause)
        case .ClockSkewTooBig(_, let cause): (6, .wrongClock, cause)
        case .OperationNotSupportedByBackend(_, let cause): (7, .unsupportedByServer, cause)
        case .NameAlreadyExists(_, let cause): (24, .nameInUse, cause)
        case .Forbidden(_, let cause): (26, .deviceNotAccepted, cause)
        case .Unknown(_, let cause): (99, .failed, cause)
        }
    }
}
