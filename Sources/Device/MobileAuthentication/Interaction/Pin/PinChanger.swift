/// Lets the user replace the PIN; implemented by the application.
@preconcurrency @MainActor
public protocol PinChanger: PinPolicyProvider, ValidCredentialsObserver {
    /// Asks for the old and the new PIN.
    ///
    /// It is called again with a recoverable error when one of the two was refused, and during a cool-down with the time
    /// that is left.
    func changePin(context: any PinChangeContext, handler: any PinChangeHandler)
}
