public import Foundation

/// Lets the user choose a PIN; implemented by the application.
///
/// ```swift
/// struct PinScreen: PinEnroller, PinUserVerifier {
///     let keypad: Keypad
///
///     func pinPolicy() -> any PinPolicy { BankPinPolicy() }
///
///     func enrollPin(context: any PinEnrollmentContext, handler: any PinEnrollmentHandler) {
///         keypad.ask(context.lastRecoverableError?.localizedDescription ?? "Choose a PIN.") { handler.pin($0) }
///     }
///
///     func verifyPin(context: any PinUserVerificationContext, handler: any PinUserVerificationHandler) {
///         keypad.ask(context.authenticatorProtectionStatus.description) { handler.verify($0) }
///     }
/// }
/// ```
@preconcurrency @MainActor
public protocol PinEnroller: PinPolicyProvider, ValidCredentialsObserver {
    /// Asks for a new PIN.
    ///
    /// It is called again with a recoverable error when the PIN was refused.
    func enrollPin(context: any PinEnrollmentContext, handler: any PinEnrollmentHandler)
}

/// Context of a PIN enrolment: the user, and the refusal of the last PIN.
public protocol PinEnrollmentContext: Encodable, Sendable {
    /// The name of the user.
    var username: Username { get }
    /// Refusal of the last PIN; nil the first time.
    var lastRecoverableError: PinEnrollmentError? { get }
}

/// Takes the new PIN; the first call wins, later ones do nothing.
public protocol PinEnrollmentHandler: InteractionHandler {
    /// Gives the PIN as text.
    func pin(_ pin: String)

    /// Gives the PIN as bytes (ASCII digits) that are wiped after use.
    func pin(_ pin: SecretBytes)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Refusal of a new PIN; the user is asked again.
public enum PinEnrollmentError: LocalizedError, Sendable {
    /// Something other than digits, or not the right number of them.
    case InvalidPinFormat(description: String, cause: (any Error)?)
    /// The policy of the application, or the list of common PINs, refuses it.
    case CustomValidationError(message: String, cause: (any Error)?)

    /// Localized description of the error.
    public var errorDescription: String? {
        switch self {
        case .InvalidPinFormat(let text, _), .CustomValidationError(let text, _): text
        }
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Objection of the application's policy to the new PIN of a PIN enrolment.
public enum PinEnrollmentValidationError: LocalizedError, Sendable {
    /// The PIN is not wanted; the message is shown to the user.
    case InvalidPin(message: String, cause: (any Error)? = nil)

    /// Localized description of the error.
    public var errorDescription: String? {
        switch self {
        case .InvalidPin(let message, _): message
        }
    }
}

/// Makes PIN enrollers from closures.
public enum PinEnrollment {
    /// An enroller that answers with the PIN that a closure gives.
    ///
    /// The closure may be called again, as the protocol says; to throw means to cancel. Without a policy, what the SDK
    /// itself accepts is accepted.
    public static func async(
        policy: (any PinPolicy)? = nil,
        _ answer: @escaping @MainActor (any PinEnrollmentContext) async throws -> SecretBytes
    ) -> any PinEnroller {
        ClosureParticipant(policy, answer)
    }
}

extension ClosureParticipant: PinEnroller
where Context == any PinEnrollmentContext, Policy == (any PinPolicy)?, Value == SecretBytes {
    func enrollPin(context: any PinEnrollmentContext, handler: any PinEnrollmentHandler) {
        respond(to: context, by: handler) { handler.pin($0) }
    }
}
