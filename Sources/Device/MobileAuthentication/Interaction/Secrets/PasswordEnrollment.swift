public import Foundation

/// Lets the user choose a password; implemented by the application.
///
/// ```swift
/// struct PasswordScreen: PasswordEnroller, PasswordUserVerifier {
///     let keyboard: Keypad
///
///     func enrollPassword(context: any PasswordEnrollmentContext, handler: any PasswordEnrollmentHandler) {
///         keyboard.ask("Choose a password.") { handler.password($0) }
///     }
///
///     func verifyPassword(
///         context: any PasswordUserVerificationContext, handler: any PasswordUserVerificationHandler
///     ) {
///         keyboard.ask(context.authenticatorProtectionStatus.description) { handler.verify($0) }
///     }
/// }
/// ```
@preconcurrency @MainActor
public protocol PasswordEnroller: PasswordPolicyProvider, ValidCredentialsObserver {
    /// Asks for a new password.
    ///
    /// It is called again with a recoverable error when the password was refused.
    func enrollPassword(context: any PasswordEnrollmentContext, handler: any PasswordEnrollmentHandler)
}

/// Context of a password enrolment: the user, and the refusal of the last password.
public protocol PasswordEnrollmentContext: Encodable, Sendable {
    /// The name of the user.
    var username: Username { get }
    /// Refusal of the last password; nil the first time.
    var lastRecoverableError: PasswordEnrollmentError? { get }
}

/// Takes the new password; the first call wins, later ones do nothing.
public protocol PasswordEnrollmentHandler: InteractionHandler {
    /// Gives the password as text.
    func password(_ password: String)

    /// Gives the password as bytes (UTF-8) that are wiped after use.
    func password(_ password: SecretBytes)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Refusal of a new password; the user is asked again.
public enum PasswordEnrollmentError: LocalizedError, Sendable {
    /// The policy of the application refuses it, or it is empty, too long, or has control characters.
    case CustomValidationError(message: String, cause: (any Error)?)

    /// Localized description of the error.
    public var errorDescription: String? {
        switch self {
        case .CustomValidationError(let text, _): text
        }
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Objection of the application's policy to the password of an enrolment.
public enum PasswordEnrollmentValidationError: LocalizedError, Sendable {
    /// The password is not wanted; the message is shown to the user.
    case InvalidPassword(message: String, cause: (any Error)? = nil)

    /// Localized description of the error.
    public var errorDescription: String? {
        switch self {
        case .InvalidPassword(let text, _): text
        }
    }
}

/// Makes password enrollers from closures.
public enum PasswordEnrollment {
    /// An enroller that answers with the password that a closure gives.
    ///
    /// The closure may be called again, as the protocol says; to throw means to cancel. Without a policy a password
    /// needs eight characters and must not be a common one.
    public static func async(
        policy: (any PasswordPolicy)? = nil,
        _ answer: @escaping @MainActor (any PasswordEnrollmentContext) async throws -> SecretBytes
    ) -> any PasswordEnroller {
        ClosureParticipant(policy, answer)
    }
}

extension ClosureParticipant: PasswordEnroller
where Context == any PasswordEnrollmentContext, Policy == (any PasswordPolicy)?, Value == SecretBytes {
    func enrollPassword(context: any PasswordEnrollmentContext, handler: any PasswordEnrollmentHandler) {
        respond(to: context, by: handler) { handler.password($0) }
    }
}
