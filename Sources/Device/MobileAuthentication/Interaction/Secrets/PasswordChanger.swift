public import Foundation

/// Lets the user replace the password; implemented by the application.
@preconcurrency @MainActor
public protocol PasswordChanger: PasswordPolicyProvider, ValidCredentialsObserver {
    /// Asks for the old and the new password.
    ///
    /// It is called again with a recoverable error when one of the two was refused, and during a cool-down with the
    /// time that is left.
    func changePassword(context: any PasswordChangeContext, handler: any PasswordChangeHandler)
}

/// Context of a password change: the user, the attempts left, and the refusal of the last answer.
public protocol PasswordChangeContext: Encodable, Sendable {
    /// The name of the user.
    var username: Username { get }
    /// Attempts left and cool-down, or lockout.
    var authenticatorProtectionStatus: PasswordAuthenticatorProtectionStatus { get }
    /// Refusal of the last answer; nil the first time.
    var lastRecoverableError: PasswordChangeRecoverableError? { get }
}

/// Takes the old and the new password; the first call wins, later ones do nothing.
public protocol PasswordChangeHandler: InteractionHandler {
    /// Gives both passwords as text.
    func passwords(_ oldPassword: String, _ newPassword: String)

    /// Gives both passwords as bytes (UTF-8) that are wiped after use.
    func passwords(_ oldPassword: SecretBytes, _ newPassword: SecretBytes)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Refusal of the answer to a password change; the user is asked again.
public enum PasswordChangeRecoverableError: LocalizedError, Sendable {
    /// The old password was wrong.
    case InvalidPassword(description: String, cause: (any Error)?)
    /// The new password is the old one.
    case OldPasswordEqualsNewPassword(description: String, cause: (any Error)?)
    /// The policy of the application refuses the new one, or it is empty, too long, or has control characters.
    case CustomValidationError(message: String, cause: (any Error)?)

    /// Localized description of the error.
    public var errorDescription: String? {
        switch self {
        case .InvalidPassword(let text, _), .OldPasswordEqualsNewPassword(let text, _),
            .CustomValidationError(let text, _):
            text
        }
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Objection of the application's policy to the new password of a change.
public enum PasswordChangeValidationError: LocalizedError, Sendable {
    /// The password is not wanted; the message is shown to the user.
    case InvalidPassword(message: String, cause: (any Error)? = nil)

    /// Localized description of the error.
    public var errorDescription: String? {
        switch self {
        case .InvalidPassword(let text, _): text
        }
    }
}

/// Makes password changers from closures.
public enum PasswordReplacement {
    /// A changer that answers with the old and the new password that a closure gives.
    ///
    /// The closure may be called again, as the protocol says; to throw means to cancel. Without a policy a password
    /// needs eight characters and must not be a common one.
    public static func async(
        policy: (any PasswordPolicy)? = nil,
        _ answer: @escaping @MainActor (any PasswordChangeContext) async throws -> (old: SecretBytes, new: SecretBytes)
    ) -> any PasswordChanger {
        ClosureParticipant(policy, answer)
    }
}

extension ClosureParticipant: PasswordChanger
where
    Context == any PasswordChangeContext, Policy == (any PasswordPolicy)?, Value == (old: SecretBytes, new: SecretBytes)
{
    func changePassword(context: any PasswordChangeContext, handler: any PasswordChangeHandler) {
        respond(to: context, by: handler) { handler.passwords($0.old, $0.new) }
    }
}
