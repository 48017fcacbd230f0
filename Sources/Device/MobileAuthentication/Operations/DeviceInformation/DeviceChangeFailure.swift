import UAFClient

/// Failure of a change of the device information; the public error is made from it.
enum DeviceChangeFailure: Error {
    /// Neither this device nor the server has such a record.
    case notFound((any Error)?)
    /// Another device of the user has the name.
    case nameInUse(any Error)
    /// Everything else.
    case ceremony(CeremonyFailure)

    /// Failure for the refusal of a server.
    init(_ refusal: DeviceRefusal) {
        self =
            switch refusal {
            case .unknown(let error): .notFound(error)
            case .unsupported(let error): .notFound(error)
            case .nameInUse(let error): .nameInUse(error)
            case .notAccepted, .forbidden, .clockSkew, .failed: .ceremony(refusal.failure)
            }
    }
}

extension DeviceInformationChangeError {
    /// The public form of a failure.
    init(_ failure: DeviceChangeFailure) {
        self =
            switch failure {
            case .notFound(let cause): .NotFound(cause: cause)
            case .nameInUse(let cause): .NameAlreadyExists(cause: cause)
            case .ceremony(.network(let cause)): .NetworkError(cause: cause.publicForm)
            case .ceremony(.clockSkew(let cause)): .ClockSkewTooBig(cause: cause)
            case .ceremony(.noDeviceLock): .NoDeviceLockError(cause: nil)
            case .ceremony(let failure): .Unknown(cause: failure.publicCause)
            }
    }
}

extension DeviceRefusal {
    /// Whether the same request may be accepted later: the server was not reached, or has a temporary problem.
    var isPassing: Bool {
        guard case .failed(.network(let cause)) = self else { return false }
        if let status = cause as? HTTPStatusError { return status.isTemporary }
        return !(cause is InsecureAddressError)
    }
}
