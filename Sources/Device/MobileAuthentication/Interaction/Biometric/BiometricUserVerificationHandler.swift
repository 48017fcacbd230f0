/// Lets the operating system ask for a finger or a face; the first call wins, later ones do nothing.
public protocol BiometricUserVerificationHandler: Sendable {
    /// Shows the dialog of the operating system with its usual texts.
    func verify()

    /// Shows the dialog of the operating system with texts of the application.
    func verify(using options: BiometricPromptOptions)

    /// Ends the operation with `userCanceled`.
    func cancel()
}
