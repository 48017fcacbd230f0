public import Foundation

/// Lets the user enter the password; implemented by the application.
@preconcurrency @MainActor
public protocol PasswordUserVerifier: ValidCredentialsObserver {
    /// Asks for the password.
    ///
    /// It is called again after a wrong password; the context then tells how many attempts are left and how long to
    /// wait.
    func verifyPassword(context: any PasswordUserVerificationContext, handler: any PasswordUserVerificationHandler)
}

/// Context of a password verification, with the attempts left.
public protocol PasswordUserVerificationContext: UserVerificationContext {
    /// Attempts left and cool-down, or lockout.
    var authenticatorProtectionStatus: PasswordAuthenticatorProtectionStatus { get }
    /// Refusal of the last password; ``authenticatorProtectionStatus`` says more.
    @available(*, deprecated, message: "authenticatorProtectionStatus says it")
    var lastRecoverableError: PasswordUserVerificationError? { get }
}

extension PasswordUserVerificationContext {
    /// Nil: the protection status says it.
    @available(*, deprecated, message: "authenticatorProtectionStatus says it")
    public var lastRecoverableError: PasswordUserVerificationError? { nil }
}

/// Takes the password; the first call wins, later ones do nothing.
public protocol PasswordUserVerificationHandler: InteractionHandler {
    /// Gives the password as text.
    func verify(_ password: String)

    /// Gives the password as bytes (UTF-8) that are wiped after use.
    func verify(_ password: SecretBytes)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Refusal of a password; the user is asked again.
public enum PasswordUserVerificationError: LocalizedError, Sendable {
    /// The password was wrong.
    case InvalidPassword(description: String, cause: (any Error)?)

    /// Localized description of the error.
    public var errorDescription: String? {
        switch self {
        case .InvalidPassword(let text, _): text
        }
    }
}

/// Makes password verifiers from closures.
public enum PasswordUserVerification {
    /// A verifier that answers with the password that a closure gives.
    ///
    /// The closure may be called again, as the protocol says; to throw means to cancel.
    public static func async(
        _ answer: @escaping @MainActor (any PasswordUserVerificationContext) async throws -> SecretBytes
    ) -> any PasswordUserVerifier {
        ClosureParticipant(answer)
    }
}

extension ClosureParticipant: PasswordUserVerifier
where Context == any PasswordUserVerificationContext, Policy == Void, Value == SecretBytes {
    func verifyPassword(context: any PasswordUserVerificationContext, handler: any PasswordUserVerificationHandler) {
        respond(to: context, by: handler) { handler.verify($0) }
    }
}
