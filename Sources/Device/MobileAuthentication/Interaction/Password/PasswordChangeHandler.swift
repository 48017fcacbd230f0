/// Takes the old and the new password; the first call wins, later ones do nothing.
public protocol PasswordChangeHandler: Sendable {
    /// Gives both passwords as text.
    func passwords(_ oldPassword: String, _ newPassword: String)

    /// Gives both passwords as bytes (UTF-8) that are wiped after use.
    func passwords(_ oldPassword: SecretBytes, _ newPassword: SecretBytes)

    /// Ends the operation with ``PasswordChangeError/UserCanceled(cause:)``.
    func cancel()
}
