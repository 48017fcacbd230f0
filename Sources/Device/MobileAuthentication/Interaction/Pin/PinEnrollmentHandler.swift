/// Takes the new PIN; the first call wins, later ones do nothing.
public protocol PinEnrollmentHandler: Sendable {
    /// Gives the PIN as text.
    func pin(_ pin: String)

    /// Gives the PIN as bytes (ASCII digits) that are wiped after use.
    func pin(_ pin: SecretBytes)

    /// Ends the operation with `userCanceled`.
    func cancel()
}
