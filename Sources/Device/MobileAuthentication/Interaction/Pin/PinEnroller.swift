/// Lets the user choose a PIN; implemented by the application.
@preconcurrency @MainActor
public protocol PinEnroller: PinPolicyProvider, ValidCredentialsObserver {
    /// Asks for a new PIN.
    ///
    /// It is called again with a recoverable error when the PIN was refused.
    func enrollPin(context: any PinEnrollmentContext, handler: any PinEnrollmentHandler)
}
