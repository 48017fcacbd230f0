public import Foundation

/// Lets the user replace the PIN; implemented by the application.
@preconcurrency @MainActor
public protocol PinChanger: PinPolicyProvider, ValidCredentialsObserver {
    /// Asks for the old and the new PIN.
    ///
    /// It is called again with a recoverable error when one of the two was refused, and during a cool-down with the
    /// time that is left.
    func changePin(context: any PinChangeContext, handler: any PinChangeHandler)
}

/// Context of a PIN change: the user, the attempts left, and the refusal of the last answer.
public protocol PinChangeContext: Encodable, Sendable {
    /// The name of the user.
    var username: Username { get }
    /// Attempts left and cool-down, or lockout.
    var authenticatorProtectionStatus: PinAuthenticatorProtectionStatus { get }
    /// Refusal of the last answer; nil the first time.
    var lastRecoverableError: PinChangeRecoverableError? { get }
}

/// Takes the old and the new PIN; the first call wins, later ones do nothing.
public protocol PinChangeHandler: InteractionHandler {
    /// Gives both PINs as text.
    func pins(_ oldPin: String, _ newPin: String)

    /// Gives both PINs as bytes (ASCII digits) that are wiped after use.
    func pins(_ oldPin: SecretBytes, _ newPin: SecretBytes)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Refusal of the answer to a PIN change; the user is asked again.
public enum PinChangeRecoverableError: LocalizedError, Sendable {
    /// The old PIN was wrong.
    case InvalidPin(description: String, cause: (any Error)?)
    /// The new PIN has something other than digits, or not the right number of them.
    case InvalidPinFormat(description: String, cause: (any Error)?)
    /// The new PIN is the old one.
    case OldPinEqualsNewPin(description: String, cause: (any Error)?)
    /// The policy of the application, or the list of common PINs, refuses the new PIN.
    case CustomValidationError(message: String, cause: (any Error)?)

    /// Localized description of the error.
    public var errorDescription: String? {
        switch self {
        case .InvalidPin(let text, _), .InvalidPinFormat(let text, _), .OldPinEqualsNewPin(let text, _),
            .CustomValidationError(let text, _):
            text
        }
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Objection of the application's policy to the new PIN of a PIN change.
public enum PinChangeValidationError: LocalizedError, Sendable {
    /// The PIN is not wanted; the message is shown to the user.
    case InvalidPin(message: String, cause: (any Error)? = nil)

    /// Localized description of the error.
    public var errorDescription: String? {
        switch self {
        case .InvalidPin(let message, _): message
        }
    }
}

/// Makes PIN changers from closures.
public enum PinReplacement {
    /// A changer that answers with the old and the new PIN that a closure gives.
    ///
    /// The closure may be called again, as the protocol says; to throw means to cancel. Without a policy, what the SDK
    /// itself accepts is accepted.
    public static func async(
        policy: (any PinPolicy)? = nil,
        _ answer: @escaping @MainActor (any PinChangeContext) async throws -> (old: SecretBytes, new: SecretBytes)
    ) -> any PinChanger {
        ClosureParticipant(policy, answer)
    }
}

extension ClosureParticipant: PinChanger
where Context == any PinChangeContext, Policy == (any PinPolicy)?, Value == (old: SecretBytes, new: SecretBytes) {
    func changePin(context: any PinChangeContext, handler: any PinChangeHandler) {
        respond(to: context, by: handler) { handler.pins($0.old, $0.new) }
    }
}
