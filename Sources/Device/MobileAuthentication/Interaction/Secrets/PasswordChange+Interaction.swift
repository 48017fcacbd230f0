public import Foundation
import HardwareKeys

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
public protocol PasswordChangeHandler: Sendable {
    /// Gives both passwords as text.
    func passwords(_ oldPassword: String, _ newPassword: String)

    /// Gives both passwords as bytes (UTF-8) that are wiped after use.
    func passwords(_ oldPassword: SecretBytes, _ newPassword: SecretBytes)

    /// Ends the operation with ``PasswordChangeError/UserCanceled(cause:)``.
    func cancel()
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
        ClosurePasswordChanger(policy, answer)
    }
}

/// Answers with what a closure gives.
private final class ClosurePasswordChanger: PasswordChanger {
    private let policy: MainActorBox<(any PasswordPolicy)?>
    private let answer: @MainActor (any PasswordChangeContext) async throws -> (old: SecretBytes, new: SecretBytes)

    nonisolated init(
        _ policy: (any PasswordPolicy)?,
        _ answer: @escaping @MainActor (any PasswordChangeContext) async throws -> (old: SecretBytes, new: SecretBytes)
    ) {
        self.policy = MainActorBox(policy)
        self.answer = answer
    }

    func passwordPolicy() -> any PasswordPolicy { policy.content ?? DefaultPasswordPolicy() }

    func changePassword(context: any PasswordChangeContext, handler: any PasswordChangeHandler) {
        let answer = answer
        Task {
            do {
                let secrets = try await answer(context)
                handler.passwords(secrets.old, secrets.new)
            } catch {
                handler.cancel()
            }
        }
    }
}

/// Snapshot of the operation, presented as ``PasswordChangeContext``.
struct PasswordChangeState: PasswordChangeContext {
    let username: Username
    let authenticatorProtectionStatus: PasswordAuthenticatorProtectionStatus
    let lastRecoverableError: PasswordChangeRecoverableError?

    private enum CodingKeys: String, CodingKey {
        case username
        case authenticatorProtectionStatus
        case lastRecoverableError
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(username, forKey: .username)
        try container.encode(authenticatorProtectionStatus, forKey: .authenticatorProtectionStatus)
        try container.encodeIfPresent(lastRecoverableError?.errorDescription, forKey: .lastRecoverableError)
    }
}

/// Handler that resumes the waiting operation with the old and the new password.
final class PasswordChangeAnswer: PasswordChangeHandler {
    private let slot: OneShot<UserAnswer<OldAndNewSecret>>

    init(_ slot: OneShot<UserAnswer<OldAndNewSecret>>) { self.slot = slot }

    deinit { slot.fill(.canceled) }

    func passwords(_ oldPassword: String, _ newPassword: String) {
        passwords(SecretBytes(oldPassword), SecretBytes(newPassword))
    }

    func passwords(_ oldPassword: SecretBytes, _ newPassword: SecretBytes) {
        slot.fill(.given(OldAndNewSecret(old: oldPassword, new: newPassword)))
    }

    func cancel() { slot.fill(.canceled) }
}
