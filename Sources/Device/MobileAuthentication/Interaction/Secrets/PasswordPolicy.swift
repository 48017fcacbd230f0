/// Requirements of an application for a new password.
///
/// The SDK itself refuses an empty password, one with control characters, and one of more than 1,024 bytes of UTF-8
/// (after normalisation to NFC); everything else is up to this policy.
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

/// Knows what an application asks of a new password.
@preconcurrency @MainActor
public protocol PasswordPolicyProvider {
    /// The policy; it is asked for before each judgement.
    func passwordPolicy() -> any PasswordPolicy
}

extension PasswordPolicyProvider {
    /// Eight characters, none of the passwords that are guessed first.
    public func passwordPolicy() -> any PasswordPolicy { DefaultPasswordPolicy() }
}

/// The password policy of an application that names none: eight characters or more, and none that is guessed first.
///
/// No character classes are required (NIST SP 800-63B section 5.1.1.2).
struct DefaultPasswordPolicy: PasswordPolicy {
    static let leastCount = 8
    /// Minimum number of different characters.
    private static let leastVariety = 4
    private static let common: Set<String> = [
        "12345678", "123456789", "1234567890", "87654321", "abcd1234", "abcdefgh", "baseball", "computer", "football",
        "iloveyou", "password", "password1", "password123", "passwort", "passwort1", "motdepasse", "princess",
        "qwerty123",
        "qwertyui", "qwertyuiop", "qwertz123", "qwertzui", "qwertzuiop", "starwars", "sunshine", "superman", "trustno1",
        "welcome1", "whatever",
    ]

    func validatePasswordForEnrollment(
        _ password: String, onSuccess: @escaping () -> Void,
        onError: @escaping (PasswordEnrollmentValidationError) -> Void
    ) {
        guard let text = Self.flaw(of: password) else { return onSuccess() }
        onError(.InvalidPassword(message: text.localized, cause: nil))
    }

    func validatePasswordForPasswordChange(
        _ password: String, onSuccess: @escaping () -> Void,
        onError: @escaping (PasswordChangeValidationError) -> Void
    ) {
        guard let text = Self.flaw(of: password) else { return onSuccess() }
        onError(.InvalidPassword(message: text.localized, cause: nil))
    }

    private static func flaw(of password: String) -> SDKText? {
        if password.count < leastCount { return .shortPassword(leastCount) }
        return Set(password).count < leastVariety || common.contains(password.lowercased()) ? .guessablePassword : nil
    }
}
