/// Takes the new password; the first call wins, later ones do nothing.
public protocol PasswordEnrollmentHandler: Sendable {
    /// Gives the password as text.
    func password(_ password: String)

    /// Gives the password as bytes (UTF-8) that are wiped after use.
    func password(_ password: SecretBytes)

    /// Ends the operation with `userCanceled`.
    func cancel()
}
