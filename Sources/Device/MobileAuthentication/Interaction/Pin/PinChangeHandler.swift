/// Takes the old and the new PIN; the first call wins, later ones do nothing.
public protocol PinChangeHandler: Sendable {
    /// Gives both PINs as text.
    func pins(_ oldPin: String, _ newPin: String)

    /// Gives both PINs as bytes (ASCII digits) that are wiped after use.
    func pins(_ oldPin: SecretBytes, _ newPin: SecretBytes)

    /// Ends the operation with ``PinChangeError/UserCanceled(cause:)``.
    func cancel()
}
