package import UAF

/// Failure of a change of a secret.
package enum SecretChangeFailure: Error {
    /// The authenticator is locked after too many wrong attempts.
    case locked
    case notEnrolled
    case canceled
    case noDeviceLock
    /// The operation was used in a way that can never work.
    case wrongUse(any Error)
    case fido(ClientErrorCode, cause: (any Error)?)
    case device(any Error)

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
