/// Decides when the operating system asks for a finger or a face; implemented by the application.
///
/// ```swift
/// struct FingerScreen: BiometricUserVerifier {
///     func verifyBiometric(
///         context: any BiometricUserVerificationContext, handler: any BiometricUserVerificationHandler
///     ) {
///         handler.verify(using: BiometricPromptOptions(reason: "Sign in to the bank", fallbackButtonTitle: ""))
///     }
/// }
/// ```
@preconcurrency @MainActor
public protocol BiometricUserVerifier: ValidCredentialsObserver {
    /// Says that a finger or a face is about to be asked for.
    ///
    /// The dialog itself is shown by the operating system after `verify()` or `verify(using:)`. It is called again when
    /// the finger or face was not recognised, and when the user chose the fallback button of the dialog.
    func verifyBiometric(
        context: any BiometricUserVerificationContext, handler: any BiometricUserVerificationHandler)
}

/// Context of a verification with finger or face.
public protocol BiometricUserVerificationContext: UserVerificationContext {}

/// Lets the operating system ask for a finger or a face; the first call wins, later ones do nothing.
public protocol BiometricUserVerificationHandler: InteractionHandler {
    /// Shows the dialog of the operating system with its usual texts.
    func verify()

    /// Shows the dialog of the operating system with texts of the application.
    func verify(using options: BiometricPromptOptions)

    /// Shows the dialog as ``verify()`` does; what it returns can take it away, show it again, or end the operation.
    ///
    /// A handler of an application's own tests need not have it: it then shows the dialog, and what it returns does
    /// nothing.
    @discardableResult
    func listenForOsCredentials() -> any OsAuthenticationListenHandler
}

extension BiometricUserVerificationHandler {
    /// Shows the dialog; it cannot be controlled.
    @discardableResult
    public func listenForOsCredentials() -> any OsAuthenticationListenHandler {
        verify()
        return ListeningWithoutControl()
    }
}

/// Makes verifiers for a finger or a face from closures.
public enum BiometricUserVerification {
    /// A verifier that goes on when a closure returns; nil stands for the usual texts of the system.
    ///
    /// The closure may be called again, as the protocol says; to throw means to cancel.
    public static func async(
        _ answer: @escaping @MainActor (any BiometricUserVerificationContext) async throws -> BiometricPromptOptions?
    ) -> any BiometricUserVerifier {
        ClosureParticipant(answer)
    }
}

extension ClosureParticipant: BiometricUserVerifier
where Context == any BiometricUserVerificationContext, Policy == Void, Value == BiometricPromptOptions? {
    func verifyBiometric(context: any BiometricUserVerificationContext, handler: any BiometricUserVerificationHandler) {
        respond(to: context, by: handler) { options in
            if let options { handler.verify(using: options) } else { handler.verify() }
        }
    }
}
