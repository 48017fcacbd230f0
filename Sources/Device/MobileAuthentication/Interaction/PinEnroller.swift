/// Lets the user choose a PIN; implemented by the application.
@preconcurrency @MainActor
public protocol PinEnroller: PinPolicyProvider {
    /// Asks for a new PIN.
    ///
    /// It is called again with a recoverable error when the PIN was refused.
    func enrollPin(context: any PinEnrollmentContext, handler: any PinEnrollmentHandler)

    /// Tells that the PIN was accepted on the device; the server has not answered yet.
    func onValidCredentialsProvided()
}

extension PinEnroller {
    /// Does nothing.
    public func onValidCredentialsProvided() {}
}
