/// Lets the user replace the password; implemented by the application.
@preconcurrency @MainActor
public protocol PasswordChanger: PasswordPolicyProvider, ValidCredentialsObserver {
    /// Asks for the old and the new password.
    ///
    /// It is called again with a recoverable error when one of the two was refused, and during a cool-down with the time
    /// that is left.
    func changePassword(context: any PasswordChangeContext, handler: any PasswordChangeHandler)
}
