/// Lets the user choose a password; implemented by the application.
@preconcurrency @MainActor
public protocol PasswordEnroller: PasswordPolicyProvider, ValidCredentialsObserver {
    /// Asks for a new password.
    ///
    /// It is called again with a recoverable error when the password was refused.
    func enrollPassword(context: any PasswordEnrollmentContext, handler: any PasswordEnrollmentHandler)
}
