package import UAF

/// Failure of a change of a secret.
package enum SecretChangeFailure: Error {
    /// The authenticator is locked after too many wrong attempts.
    case locked
    /// The user has no such authenticator.
    case notEnrolled
    /// The user, or the application for the user, gave up.
    case canceled
    /// The device has no screen lock.
    case noDeviceLock
    /// The operation was used in a way that can never work.
    case wrongUse(any Error)
    /// The authenticator failed with a code of the UAF client.
    case fido(ClientErrorCode, cause: (any Error)?)
    /// The device could not do its part.
    case device(any Error)

    /// Failure of a change for a failure of a ceremony.
    init(_ failure: CeremonyFailure) {
        self =
            switch failure {
            case .fido(.userCancelled, _), .denied: .canceled
            case .fido(.userLockout, _): .locked
            case .fido(let code, let cause): .fido(code, cause: cause)
            case .noDeviceLock: .noDeviceLock
            case .registeredInAnotherServer: .notEnrolled
            case .wrongUse(let cause): .wrongUse(cause)
            case .network(let cause), .device(let cause): .device(cause)
            case .clockSkew(let cause), .attestation(let cause): .device(cause)
            case .unsupportedByServer, .unknownToServer: .notEnrolled
            }
    }
}
