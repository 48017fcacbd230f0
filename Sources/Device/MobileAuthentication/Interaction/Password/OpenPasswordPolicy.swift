/// Accepts what the SDK itself accepts.
struct OpenPasswordPolicy: PasswordPolicy {
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
