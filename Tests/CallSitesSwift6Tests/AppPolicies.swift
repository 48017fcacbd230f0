import MobileAuthentication

/// What an application asks of passwords.
final class AppPasswordPolicy: PasswordPolicy {
    func validatePasswordForEnrollment(
        _ password: String, onSuccess: @escaping () -> Void,
        onError: @escaping (PasswordEnrollmentValidationError) -> Void
    ) {
        guard password.count >= 8 else {
            return onError(PasswordEnrollmentValidationError.InvalidPassword(message: "too short", cause: nil))
        }
        onSuccess()
    }

    func validatePasswordForPasswordChange(
        _ password: String, onSuccess: @escaping () -> Void, onError: @escaping (PasswordChangeValidationError) -> Void
    ) {
        guard password.count >= 8 else {
            return onError(PasswordChangeValidationError.InvalidPassword(message: "too short", cause: nil))
        }
        onSuccess()
    }
}

/// What an application asks of PINs.
struct AppPinPolicy: PinPolicy {
    var minLength: Int { 6 }
    var maxLength: Int { 8 }

    func validatePinForPinChange(
        _ pin: String, onSuccess: @escaping () -> Void, onError: @escaping (PinChangeValidationError) -> Void
    ) {
        pin.hasPrefix("13") ? onError(.InvalidPin(message: "unlucky", cause: nil)) : onSuccess()
    }
}
