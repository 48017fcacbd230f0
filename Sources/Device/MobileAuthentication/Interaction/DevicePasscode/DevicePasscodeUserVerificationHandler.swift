/// Lets the operating system ask for the passcode of the device; the first call wins, later ones do nothing.
public protocol DevicePasscodeUserVerificationHandler: Sendable {
    /// Shows the dialog of the operating system with its usual texts.
    func verify()

    /// Shows the dialog of the operating system with a text of the application.
    func verify(using options: DevicePasscodePromptOptions)

    /// Ends the operation with `userCanceled`.
    func cancel()
}
