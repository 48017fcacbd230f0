extension VerificationProblem: CustomStringConvertible {
    /// One or two sentences of English for a log or a terminal.
    public var description: String {
        switch self {
        case .serviceFileMissing(let name):
            "There is no PAM service \(name). Install packaging/pam/signet as /etc/pam.d/\(name)."
        case .serviceBroken(let code):
            "A module of the PAM service failed with code \(code). See the log of the system."
        case .questionNotUnderstood: "A module of the PAM service asked for something else than a passcode."
        case .passcodeNotSet: "The account has no passcode. Set one with passwd."
        case .passcodeExpired: "The passcode or the account has expired. Change the passcode with passwd."
        case .accountUnknown: "The account of this process is unknown to the PAM service."
        case .busUnreachable(let code): "The system bus cannot be reached (error \(code))."
        case .fingerprintServiceAbsent: "No fingerprint service is on the system bus. Install fprintd."
        case .fingerprintServiceFailed(let name): "The fingerprint service failed: \(name)."
        case .fingerprintServiceUntrusted(let uid):
            "What answers as the fingerprint service belongs to the account \(uid) and not to the system; it is not believed."
        case .sensorAbsent: "The fingerprint service knows no sensor."
        case .sensorDisconnected: "The fingerprint sensor was disconnected."
        case .sensorInUse: "Another program uses the fingerprint sensor."
        case .permissionDenied: "The rules of this machine (polkit) do not let this process use the fingerprint sensor."
        case .nothingEnrolled: "No finger is enrolled. Enrol one with fprintd-enroll."
        }
    }
}
