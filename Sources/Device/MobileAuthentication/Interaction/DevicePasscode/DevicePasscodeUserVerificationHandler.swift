/// Lets the operating system ask for the passcode of the device; the first call wins, later ones do nothing.
public protocol DevicePasscodeUserVerificationHandler: Sendable {
    /// Shows the dialog of the operating system with its usual texts.
    func verify()

    /// Shows the dialog of the operating system with a text of the application.
    func verify(using options: DevicePasscodePromptOptions)

    /// Shows the dialog as ``verify()`` does; what it returns can take it away, show it again, or end the operation.
    ///
    /// A handler of an application's own tests need not have it: it then shows the dialog, and what it returns does nothing.
    @discardableResult
    func listenForOsCredentials() -> any OsAuthenticationListenHandler

    /// Ends the operation with `userCanceled`.
    func cancel()
}

extension DevicePasscodeUserVerificationHandler {
    /// Shows the dialog; it cannot be controlled.
    @discardableResult
    public func listenForOsCredentials() -> any OsAuthenticationListenHandler {
        verify()
        return ListeningWithoutControl()
    }
}
