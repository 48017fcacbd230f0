/// Decides when the operating system asks for a finger or a face; implemented by the application.
@preconcurrency @MainActor
public protocol BiometricUserVerifier: ValidCredentialsObserver {
    /// Says that a finger or a face is about to be asked for.
    ///
    /// The dialog itself is shown by the operating system after `verify()` or `verify(using:)`. It is called again when the
    /// finger or face was not recognised, and when the user chose the fallback button of the dialog.
    func verifyBiometric(
        context: any BiometricUserVerificationContext, handler: any BiometricUserVerificationHandler)
}
