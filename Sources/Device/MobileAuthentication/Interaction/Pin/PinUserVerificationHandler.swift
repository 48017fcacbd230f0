/// Takes the PIN; the first call wins, later ones do nothing.
public protocol PinUserVerificationHandler: Sendable {
    /// Gives the PIN as text.
    func verify(_ pin: String)

    /// Gives the PIN as bytes (ASCII digits) that are wiped after use.
    func verify(_ pin: SecretBytes)

    /// Ends the operation with `userCanceled`.
    func cancel()
}
