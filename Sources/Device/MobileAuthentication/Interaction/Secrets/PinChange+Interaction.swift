public import Foundation
import HardwareKeys

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
public protocol PinChangeHandler: Sendable {
    /// Gives both PINs as text.
    func pins(_ oldPin: String, _ newPin: String)

    /// Gives both PINs as bytes (ASCII digits) that are wiped after use.
    func pins(_ oldPin: SecretBytes, _ newPin: SecretBytes)

    /// Ends the operation with ``PinChangeError/UserCanceled(cause:)``.
    func cancel()
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
        ClosurePinChanger(policy, answer)
    }
}

/// Answers with what a closure gives.
private final class ClosurePinChanger: PinChanger {
    private let policy: MainActorBox<(any PinPolicy)?>
    private let answer: @MainActor (any PinChangeContext) async throws -> (old: SecretBytes, new: SecretBytes)

    nonisolated init(
        _ policy: (any PinPolicy)?,
        _ answer: @escaping @MainActor (any PinChangeContext) async throws -> (old: SecretBytes, new: SecretBytes)
    ) {
        self.policy = MainActorBox(policy)
        self.answer = answer
    }

    func pinPolicy() -> any PinPolicy { policy.content ?? DefaultPinPolicy() }

    func changePin(context: any PinChangeContext, handler: any PinChangeHandler) {
        let answer = answer
        Task {
            do {
                let secrets = try await answer(context)
                handler.pins(secrets.old, secrets.new)
            } catch {
                handler.cancel()
            }
        }
    }
}

/// Snapshot of the operation, presented as ``PinChangeContext``.
struct PinChangeState: PinChangeContext {
    let username: Username
    let authenticatorProtectionStatus: PinAuthenticatorProtectionStatus
    let lastRecoverableError: PinChangeRecoverableError?

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

/// Handler that resumes the waiting operation with the old and the new PIN.
final class PinChangeAnswer: PinChangeHandler {
    private let slot: OneShot<UserAnswer<OldAndNewSecret>>

    init(_ slot: OneShot<UserAnswer<OldAndNewSecret>>) { self.slot = slot }

    deinit { slot.fill(.canceled) }

    func pins(_ oldPin: String, _ newPin: String) { pins(SecretBytes(oldPin), SecretBytes(newPin)) }

    func pins(_ oldPin: SecretBytes, _ newPin: SecretBytes) {
        slot.fill(.given(OldAndNewSecret(old: oldPin, new: newPin)))
    }

    func cancel() { slot.fill(.canceled) }
}
