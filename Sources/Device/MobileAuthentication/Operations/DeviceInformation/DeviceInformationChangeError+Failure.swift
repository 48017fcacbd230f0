import UAFClient

extension DeviceInformationChangeError {
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

extension HTTPStatusError: CeremonyCause {
    package var isPassing: Bool { isTemporary }
}

extension InsecureAddressError: CeremonyCause {
    package var isPassing: Bool { false }
}
