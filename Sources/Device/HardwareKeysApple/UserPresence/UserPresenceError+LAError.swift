#if canImport(LocalAuthentication)
    import HardwareKeys
    import LocalAuthentication

    extension UserPresenceError {
        /// What an answer of LocalAuthentication means.
        init(_ code: LAError.Code) {
            switch code {
            case .userCancel, .appCancel: self = .cancelled
            case .userFallback: self = .fallbackChosen
            case .authenticationFailed: self = .mismatch
            case .biometryLockout: self = .lockedOut
            case .passcodeNotSet, .biometryNotAvailable, .biometryNotEnrolled: self = .unavailable
            case .invalidContext, .notInteractive: self = .expired
            default: self = .notResponding
            }
        }
    }
#endif
