import UAFClient

extension PinChangeError {
    init(_ failure: SecretChangeFailure) {
        self =
            switch failure {
            case .locked: .PinLocked(cause: nil)
            case .notEnrolled: .PinNotEnrolled(cause: nil)
            case .canceled: .UserCanceled(cause: nil)
            case .noDeviceLock: .NoDeviceLockError(cause: nil)
            case .fido(let code, let cause):
                .Unknown(cause: FidoFailure(code: FidoErrorCode(code), cause: cause?.publicForm))
            case .wrongUse(let cause), .device(let cause): .Unknown(cause: cause.publicForm)
            }
    }
}

extension PasswordChangeError {
    init(_ failure: SecretChangeFailure) {
        self =
            switch failure {
            case .locked: .PasswordLocked(cause: nil)
            case .notEnrolled: .PasswordNotEnrolled(cause: nil)
            case .canceled: .UserCanceled(cause: nil)
            case .noDeviceLock: .NoDeviceLockError(cause: nil)
            case .fido(let code, let cause):
                .Unknown(cause: FidoFailure(code: FidoErrorCode(code), cause: cause?.publicForm))
            case .wrongUse(let cause), .device(let cause): .Unknown(cause: cause.publicForm)
            }
    }
}
