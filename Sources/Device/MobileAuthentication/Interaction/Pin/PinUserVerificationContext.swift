/// Which PIN is asked for, and how the attempts stand.
public protocol PinUserVerificationContext: UserVerificationContext {
    /// How many attempts are left, and how long to wait.
    var authenticatorProtectionStatus: PinAuthenticatorProtectionStatus { get }
    /// What was wrong with the last PIN; ``authenticatorProtectionStatus`` says more.
    @available(*, deprecated, message: "authenticatorProtectionStatus says it")
    var lastRecoverableError: PinUserVerificationError? { get }
}
