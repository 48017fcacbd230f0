import MobileAuthentication

/// Whatever the SDK itself takes for a password.
struct AnyPassword: PasswordPolicy {
    func validatePasswordForEnrollment(
        _ password: String, onSuccess: @escaping () -> Void,
        onError: @escaping (PasswordEnrollmentValidationError) -> Void
    ) {
        onSuccess()
    }

    func validatePasswordForPasswordChange(
        _ password: String, onSuccess: @escaping () -> Void,
        onError: @escaping (PasswordChangeValidationError) -> Void
    ) {
        onSuccess()
    }
}
