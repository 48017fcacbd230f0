/// Lets the user enter the password; implemented by the application.
@preconcurrency @MainActor
public protocol PasswordUserVerifier: ValidCredentialsObserver {
    /// Asks for the password.
    ///
    /// It is called again after a wrong password; the context then tells how many attempts are left and how long to wait.
    func verifyPassword(context: any PasswordUserVerificationContext, handler: any PasswordUserVerificationHandler)
}
