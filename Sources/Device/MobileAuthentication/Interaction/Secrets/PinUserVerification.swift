public import Foundation

/// Lets the user enter the PIN; implemented by the application.
@preconcurrency @MainActor
public protocol PinUserVerifier: ValidCredentialsObserver {
    /// Asks for the PIN.
    ///
    /// It is called again after a wrong PIN; the context then tells how many attempts are left and how long to wait.
    func verifyPin(context: any PinUserVerificationContext, handler: any PinUserVerificationHandler)
}

/// Context of a PIN verification, with the attempts left.
public protocol PinUserVerificationContext: UserVerificationContext {
    /// Attempts left and cool-down, or lockout.
    var authenticatorProtectionStatus: PinAuthenticatorProtectionStatus { get }
    /// Refusal of the last PIN; ``authenticatorProtectionStatus`` says more.
    @available(*, deprecated, message: "authenticatorProtectionStatus says it")
    var lastRecoverableError: PinUserVerificationError? { get }
}

extension PinUserVerificationContext {
    /// Nil: the protection status says it.
    @available(*, deprecated, message: "authenticatorProtectionStatus says it")
    public var lastRecoverableError: PinUserVerificationError? { nil }
}

/// Takes the PIN; the first call wins, later ones do nothing.
public protocol PinUserVerificationHandler: InteractionHandler {
    /// Gives the PIN as text.
    func verify(_ pin: String)

    /// Gives the PIN as bytes (ASCII digits) that are wiped after use.
    func verify(_ pin: SecretBytes)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Refusal of a PIN; the user is asked again.
public enum PinUserVerificationError: LocalizedError, Sendable {
    /// The PIN was wrong.
    case InvalidPin(description: String, cause: (any Error)?)

    /// Localized description of the error.
    public var errorDescription: String? {
        switch self {
        case .InvalidPin(let text, _): text
        }
    }
}

/// Makes PIN verifiers from closures.
///
/// ```swift
/// operation.pinUserVerifier(
///     PinUserVerification.async { context in
///         SecretBytes(try await keypad.pin(context.authenticatorProtectionStatus))
///     })
/// ```
public enum PinUserVerification {
    /// A verifier that answers with the PIN that a closure gives.
    ///
    /// The closure may be called again, as the protocol says; to throw means to cancel.
    public static func async(
        _ answer: @escaping @MainActor (any PinUserVerificationContext) async throws -> SecretBytes
    ) -> any PinUserVerifier {
        ClosureParticipant(answer)
    }
}

extension ClosureParticipant: PinUserVerifier
where Context == any PinUserVerificationContext, Policy == Void, Value == SecretBytes {
    func verifyPin(context: any PinUserVerificationContext, handler: any PinUserVerificationHandler) {
        respond(to: context, by: handler) { handler.verify($0) }
    }
}
