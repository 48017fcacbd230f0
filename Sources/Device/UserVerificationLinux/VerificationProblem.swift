import HardwareKeys

/// Reason why the machine cannot verify its user, for the administrator.
///
/// `UserPresenceError` tells an application what to do next; this tells what is wrong with the set-up. It holds no
/// secret and nothing that the user typed.
@nonexhaustive
public enum VerificationProblem: Hashable, Sendable {
    /// There is no PAM service file of that name: install it.
    case serviceFileMissing(name: String)
    /// A module of the service could not do its work; the number is PAM's. Correct the service file or what is behind
    /// it.
    case serviceBroken(code: Int32)
    /// A module of the service asked for something else than a passcode: choose other modules.
    case questionNotUnderstood
    /// The service let the user in without asking for a passcode, or with an empty one: the account has none.
    case passcodeNotSet
    /// The passcode or the account has expired: change it with the means of the system.
    case passcodeExpired
    /// The account of this process is not known, or not to the modules of the service.
    case accountUnknown
    /// The system bus cannot be reached; the number comes from the operating system.
    case busUnreachable(code: Int32)
    /// No fingerprint service answers on the bus: install fprintd.
    case fingerprintServiceAbsent
    /// The fingerprint service went away or reported another failure; the text is the name of its error.
    case fingerprintServiceFailed(name: String)
    /// The name of the fingerprint service is held by a program of that account, not the system's: find out whose it
    /// is.
    case fingerprintServiceUntrusted(uid: UInt32)
    /// The fingerprint service knows no sensor.
    case sensorAbsent
    /// The sensor was pulled out while it was used.
    case sensorDisconnected
    /// Another program holds the sensor.
    case sensorInUse
    /// The rules of the machine (polkit) do not let this process use the sensor.
    case permissionDenied
    /// No finger of this account is enrolled.
    case nothingEnrolled
}

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

extension VerificationProblem {
    /// Error for the application, which tells whether to choose another gate or to try again.
    var presenceError: UserPresenceError {
        switch self {
        case .busUnreachable, .fingerprintServiceFailed, .sensorInUse: .notResponding
        case .serviceFileMissing, .serviceBroken, .questionNotUnderstood, .passcodeNotSet, .passcodeExpired,
            .accountUnknown, .fingerprintServiceAbsent, .fingerprintServiceUntrusted, .sensorAbsent,
            .sensorDisconnected, .permissionDenied, .nothingEnrolled:
            .unavailable
        }
    }
}
