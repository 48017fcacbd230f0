import MobileAuthentication

extension Authenticator {
    /// The title that the application gives to a kind.
    var localizedTitle: String {
        guard let kind = AuthenticatorAaid(rawValue: aaid) else { return "unknown" }
        switch kind {
        case .Pin: return "PIN"
        case .Password: return "Password"
        case .FaceRecognition: return "Face"
        case .Fingerprint: return "Finger"
        case .DevicePasscode: return "Passcode"
        @unknown default: return "other"
        }
    }

    /// Whether the user has enrolled, in the SDK or in the system.
    func isEnrolled(username: Username) -> Bool {
        if let enrollment = userEnrollment as? SdkUserEnrollment { return enrollment.isEnrolled(username) }
        if let enrollment = userEnrollment as? OsUserEnrollment { return enrollment.isEnrolled() }
        return false
    }
}

extension PinAuthenticatorProtectionStatus {
    /// What the application says of it.
    var localizedDescription: String {
        switch self {
        case .Unlocked: return ""
        case .LastAttemptFailed(let remainingTries, let coolDown): return "\(remainingTries) left, wait \(coolDown) s"
        case .LockedOut: return "locked"
        @unknown default: return ""
        }
    }
}

extension PasswordAuthenticatorProtectionStatus {
    /// What the application says of it.
    var localizedDescription: String {
        switch self {
        case .Unlocked: return ""
        case .LastAttemptFailed(let remainingTries, let coolDown): return "\(remainingTries) left, wait \(coolDown) s"
        case .LockedOut: return "locked"
        @unknown default: return ""
        }
    }
}
