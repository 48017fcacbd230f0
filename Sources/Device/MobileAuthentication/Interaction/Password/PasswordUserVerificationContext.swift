/// Which password is asked for, and how the attempts stand.
public protocol PasswordUserVerificationContext: UserVerificationContext {
    /// How many attempts are left, and how long to wait.
    var authenticatorProtectionStatus: PasswordAuthenticatorProtectionStatus { get }
    /// What was wrong with the last password; ``authenticatorProtectionStatus`` says more.
    @available(*, deprecated, message: "authenticatorProtectionStatus says it")
    var lastRecoverableError: PasswordUserVerificationError? { get }
}
