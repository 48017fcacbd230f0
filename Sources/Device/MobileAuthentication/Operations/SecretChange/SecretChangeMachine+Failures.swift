extension SecretChangeMachine.Failure {
    /// Failure of a change for that of a ceremony.
    init(_ failure: CeremonyFailure) {
        self =
            switch failure {
            case .fido(.userCanceled, _), .denied: .canceled
            case .fido(.userLockout, _): .locked
            case .fido(let code, let cause): .fido(code, cause: cause)
            case .noDeviceLock: .noDeviceLock
            case .registeredInAnotherServer: .notEnrolled
            case .wrongUse(let cause): .wrongUse(cause)
            case .network(let cause), .device(let cause): .device(cause)
            case .clockSkew(let cause): .device(cause)
            case .unsupportedByServer, .unknownToServer: .notEnrolled
            }
    }
}

extension PinChangeError {
    /// The public form of a failure.
    init(_ failure: SecretChangeMachine.Failure) {
        self =
            switch failure {
            case .locked: .PinLocked(cause: nil)
            case .notEnrolled: .PinNotEnrolled(cause: nil)
            case .canceled: .UserCanceled(cause: nil)
            case .noDeviceLock: .NoDeviceLockError(cause: nil)
            case .fido(let code, let cause): .Unknown(cause: FidoFailure(code: code, cause: cause))
            case .wrongUse(let cause), .device(let cause): .Unknown(cause: cause)
            }
    }
}

extension PasswordChangeError {
    /// The public form of a failure.
    init(_ failure: SecretChangeMachine.Failure) {
        self =
            switch failure {
            case .locked: .PasswordLocked(cause: nil)
            case .notEnrolled: .PasswordNotEnrolled(cause: nil)
            case .canceled: .UserCanceled(cause: nil)
            case .noDeviceLock: .NoDeviceLockError(cause: nil)
            case .fido(let code, let cause): .Unknown(cause: FidoFailure(code: code, cause: cause))
            case .wrongUse(let cause), .device(let cause): .Unknown(cause: cause)
            }
    }
}
