import CPAM
import HardwareKeys

/// What PAM said of a passcode, in our words.
enum PAMAnswer: Hashable, Sendable {
    case verified
    case refused(UserPresenceError)
    case impossible(VerificationProblem)

    /// The answer to pam_authenticate.
    init(authentication code: Int32) {
        switch code {
        case PAM_SUCCESS: self = .verified
        case PAM_AUTH_ERR, PAM_PERM_DENIED: self = .refused(.mismatch)
        case PAM_MAXTRIES: self = .refused(.lockedOut)
        default: self.init(failure: code)
        }
    }

    /// The answer to pam_acct_mgmt, after the passcode was right.
    init(account code: Int32) {
        switch code {
        case PAM_SUCCESS: self = .verified
        case PAM_MAXTRIES: self = .refused(.lockedOut)
        default: self.init(failure: code)
        }
    }

    /// What neither step counts as an ordinary answer.
    init(failure code: Int32) {
        switch code {
        case PAM_USER_UNKNOWN: self = .impossible(.accountUnknown)
        case PAM_NEW_AUTHTOK_REQD, PAM_AUTHTOK_EXPIRED, PAM_ACCT_EXPIRED, PAM_CRED_EXPIRED:
            self = .impossible(.passcodeExpired)
        default: self = .impossible(.serviceBroken(code: code))
        }
    }
}
