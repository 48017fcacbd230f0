/// Decides when the operating system asks for the passcode of the device; implemented by the application.
@preconcurrency @MainActor
public protocol DevicePasscodeUserVerifier: ValidCredentialsObserver {
    /// Says that the passcode of the device is about to be asked for.
    ///
    /// The dialog itself is shown by the operating system after `verify()` or `verify(using:)`. It is called again when
    /// the passcode was wrong.
    func verifyDevicePasscode(
        context: any DevicePasscodeUserVerificationContext, handler: any DevicePasscodeUserVerificationHandler)
}

/// Context of a verification with the passcode of the device.
public protocol DevicePasscodeUserVerificationContext: UserVerificationContext {}

/// Lets the operating system ask for the passcode of the device; the first call wins, later ones do nothing.
public protocol DevicePasscodeUserVerificationHandler: InteractionHandler {
    /// Shows the dialog of the operating system with its usual texts.
    func verify()

    /// Shows the dialog of the operating system with a text of the application.
    func verify(using options: DevicePasscodePromptOptions)

    /// Shows the dialog as ``verify()`` does; what it returns can take it away, show it again, or end the operation.
    ///
    /// A handler of an application's own tests need not have it: it then shows the dialog, and what it returns does
    /// nothing.
    @discardableResult
    func listenForOsCredentials() -> any OsAuthenticationListenHandler
}

extension DevicePasscodeUserVerificationHandler {
    /// Shows the dialog; it cannot be controlled.
    @discardableResult
    public func listenForOsCredentials() -> any OsAuthenticationListenHandler {
        verify()
        return ListeningWithoutControl()
    }
}

/// Makes verifiers for the passcode from closures.
public enum DevicePasscodeUserVerification {
    /// A verifier that goes on when a closure returns; nil stands for the usual texts of the system.
    ///
    /// The closure may be called again, as the protocol says; to throw means to cancel.
    public static func async(
        _ answer:
            @escaping @MainActor (any DevicePasscodeUserVerificationContext) async throws ->
            DevicePasscodePromptOptions?
    ) -> any DevicePasscodeUserVerifier {
        ClosureParticipant(answer)
    }
}

extension ClosureParticipant: DevicePasscodeUserVerifier
where Context == any DevicePasscodeUserVerificationContext, Policy == Void, Value == DevicePasscodePromptOptions? {
    func verifyDevicePasscode(
        context: any DevicePasscodeUserVerificationContext, handler: any DevicePasscodeUserVerificationHandler
    ) {
        respond(to: context, by: handler) { options in
            if let options { handler.verify(using: options) } else { handler.verify() }
        }
    }
}
