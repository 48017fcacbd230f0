public import Foundation

/// Shows the user that a finger is wanted, where the operating system has no dialog for it; implemented by the
/// application.
///
/// It is used with the Linux and Android profiles. With the iOS profile the system draws the dialog, and
/// ``BiometricUserVerifier`` serves fingers too.
@preconcurrency @MainActor
public protocol FingerprintUserVerifier: ValidCredentialsObserver {
    /// Says that a finger is about to be asked for.
    ///
    /// The sensor is read after `listenForOsCredentials()`. It is called again with a recoverable error when the finger
    /// was not recognised; after five of those the operation ends with `userLockout`.
    func verifyFingerprint(
        context: any FingerprintUserVerificationContext, handler: any FingerprintUserVerificationHandler)
}

/// Context of a verification with a finger, and the refusal of the last one.
public protocol FingerprintUserVerificationContext: UserVerificationContext {
    /// Refusal of the last finger; nil the first time.
    var lastRecoverableError: FingerprintUserVerificationError? { get }
}

/// Starts the sensor; the first call wins, later ones do nothing.
public protocol FingerprintUserVerificationHandler: InteractionHandler {
    /// Begins to read the sensor; what it returns can pause that.
    @discardableResult
    func listenForOsCredentials() -> any OsAuthenticationListenHandler
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Refusal of a finger; the user is asked again.
public enum FingerprintUserVerificationError: LocalizedError, Sendable {
    /// The sensor did not recognise the finger.
    case FingerprintNotRecognized(description: String, cause: (any Error)?)

    /// Localized description of the error.
    public var errorDescription: String? {
        switch self {
        case .FingerprintNotRecognized(let text, _): text
        }
    }
}

/// Makes verifiers for fingers from closures.
public enum FingerprintUserVerification {
    /// A verifier that reads the sensor when a closure returns.
    ///
    /// The closure may be called again, as the protocol says; to throw means to cancel.
    public static func async(
        _ answer: @escaping @MainActor (any FingerprintUserVerificationContext) async throws -> Void
    ) -> any FingerprintUserVerifier {
        ClosureParticipant(answer)
    }
}

extension ClosureParticipant: FingerprintUserVerifier
where Context == any FingerprintUserVerificationContext, Policy == Void, Value == Void {
    func verifyFingerprint(
        context: any FingerprintUserVerificationContext, handler: any FingerprintUserVerificationHandler
    ) {
        respond(to: context, by: handler) { handler.listenForOsCredentials() }
    }
}

/// Snapshot of the operation, presented as ``FingerprintUserVerificationContext``.
struct FingerprintUserVerificationState: FingerprintUserVerificationContext {
    let snapshot: AuthenticatorSnapshot
    let lastRecoverableError: FingerprintUserVerificationError?

    var authenticator: any Authenticator { snapshot }

    private enum CodingKeys: String, CodingKey {
        case snapshot = "authenticator"
        case lastRecoverableError
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(snapshot, forKey: .snapshot)
        try container.encodeIfPresent(lastRecoverableError?.errorDescription, forKey: .lastRecoverableError)
    }
}
