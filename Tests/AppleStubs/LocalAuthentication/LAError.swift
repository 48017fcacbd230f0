public import Security

/// The errors of LocalAuthentication; the framework delivers them as `NSError`.
public enum LAError {
    /// Reason why the user did not pass.
    public enum Code: Int, Sendable, CaseIterable {
        case authenticationFailed = -1
        case userCancel = -2
        case userFallback = -3
        case systemCancel = -4
        case passcodeNotSet = -5
        case biometryNotAvailable = -6
        case biometryNotEnrolled = -7
        case biometryLockout = -8
        case appCancel = -9
        case invalidContext = -10
        case notInteractive = -1004
    }

    /// The domain of the errors.
    public static let errorDomain = "com.apple.LocalAuthentication"

    /// The error as the framework delivers it.
    public static func error(_ code: Code) -> NSError {
        NSError(domain: errorDomain, code: code.rawValue)
    }
}
