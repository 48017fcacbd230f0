/// Which authenticator asks for a finger, and what was wrong with the last one.
public protocol FingerprintUserVerificationContext: UserVerificationContext {
    /// Why the last finger was refused; nil the first time.
    var lastRecoverableError: FingerprintUserVerificationError? { get }
}
