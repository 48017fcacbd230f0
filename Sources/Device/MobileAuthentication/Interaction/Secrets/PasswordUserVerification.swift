public import Foundation
import HardwareKeys

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
    /// Nothing: the protection status says it.
    @available(*, deprecated, message: "authenticatorProtectionStatus says it")
    public var lastRecoverableError: PasswordUserVerificationError? { nil }
}

/// Takes the password; the first call wins, later ones do nothing.
public protocol PasswordUserVerificationHandler: Sendable {
    /// Gives the password as text.
    func verify(_ password: String)

    /// Gives the password as bytes (UTF-8) that are wiped after use.
    func verify(_ password: SecretBytes)

    /// Ends the operation with `userCanceled`.
    func cancel()
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
        ClosurePasswordUserVerifier(answer)
    }
}

/// Answers with what a closure gives.
private final class ClosurePasswordUserVerifier: PasswordUserVerifier {
    private let answer: @MainActor (any PasswordUserVerificationContext) async throws -> SecretBytes

    nonisolated init(_ answer: @escaping @MainActor (any PasswordUserVerificationContext) async throws -> SecretBytes) {
        self.answer = answer
    }

    func verifyPassword(context: any PasswordUserVerificationContext, handler: any PasswordUserVerificationHandler) {
        let answer = answer
        Task {
            do {
                handler.verify(try await answer(context))
            } catch {
                handler.cancel()
            }
        }
    }
}

/// Snapshot of the operation, presented as ``PasswordUserVerificationContext``.
struct PasswordUserVerificationState: PasswordUserVerificationContext {
    let snapshot: AuthenticatorSnapshot
    let authenticatorProtectionStatus: PasswordAuthenticatorProtectionStatus

    var authenticator: any Authenticator { snapshot }

    var lastRecoverableError: PasswordUserVerificationError? {
        switch authenticatorProtectionStatus {
        case .Unlocked: nil
        case .LastAttemptFailed, .LockedOut: .InvalidPassword(description: SDKText.wrongPassword.localized, cause: nil)
        }
    }

    private enum CodingKeys: String, CodingKey {
        case snapshot = "authenticator"
        case authenticatorProtectionStatus
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(snapshot, forKey: .snapshot)
        try container.encode(authenticatorProtectionStatus, forKey: .authenticatorProtectionStatus)
    }
}

/// Handler that resumes the waiting operation with the password.
final class PasswordUserVerificationAnswer: PasswordUserVerificationHandler {
    private let slot: OneShot<UserAnswer<SecretBytes>>

    init(_ slot: OneShot<UserAnswer<SecretBytes>>) {
        self.slot = slot
    }

    deinit { slot.fill(.canceled) }

    func verify(_ password: String) { slot.fill(.given(SecretBytes(password))) }

    func verify(_ password: SecretBytes) { slot.fill(.given(password)) }

    func cancel() { slot.fill(.canceled) }
}
