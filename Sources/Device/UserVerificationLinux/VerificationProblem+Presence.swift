import HardwareKeys

extension VerificationProblem {
    /// What an application does about it: choose another gate, or try again.
    var presenceError: UserPresenceError {
        switch self {
        case .busUnreachable, .fingerprintServiceFailed, .sensorInUse: .notResponding
        default: .unavailable
        }
    }
}
