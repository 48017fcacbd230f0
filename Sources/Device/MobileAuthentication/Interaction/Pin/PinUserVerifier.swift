/// Lets the user enter the PIN; implemented by the application.
@preconcurrency @MainActor
public protocol PinUserVerifier: ValidCredentialsObserver {
    /// Asks for the PIN.
    ///
    /// It is called again after a wrong PIN; the context then tells how many attempts are left and how long to wait.
    func verifyPin(context: any PinUserVerificationContext, handler: any PinUserVerificationHandler)
}
