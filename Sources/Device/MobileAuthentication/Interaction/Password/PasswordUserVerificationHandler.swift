/// Takes the password; the first call wins, later ones do nothing.
public protocol PasswordUserVerificationHandler: Sendable {
    /// Gives the password as text.
    func verify(_ password: String)

    /// Gives the password as bytes (UTF-8) that are wiped after use.
    func verify(_ password: SecretBytes)

    /// Ends the operation with `userCanceled`.
    func cancel()
}
