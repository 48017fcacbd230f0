/// What an application asks of a new password.
///
/// The SDK itself refuses an empty password, one with control characters, and one of more than 1,024 bytes of UTF-8 (after
/// normalisation to NFC); everything else is the business of this policy.
@preconcurrency @MainActor
public protocol PasswordPolicy {
    /// Judges the password of an enrolment; call one of the closures once.
    func validatePasswordForEnrollment(
        _ password: String, onSuccess: @escaping () -> Void,
        onError: @escaping (PasswordEnrollmentValidationError) -> Void)

    /// Judges the new password of a change; call one of the closures once.
    func validatePasswordForPasswordChange(
        _ password: String, onSuccess: @escaping () -> Void,
        onError: @escaping (PasswordChangeValidationError) -> Void)
}
