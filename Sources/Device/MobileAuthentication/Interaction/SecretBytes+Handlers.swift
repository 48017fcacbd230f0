// Handlers that an application implements itself, in its tests for example, take secrets as text, as the closed SDK's handlers
// do; bytes reach them as text as well. The handlers of the SDK take bytes as bytes.

extension PinEnrollmentHandler {
    /// Hands the PIN on as text.
    public func pin(_ pin: SecretBytes) { self.pin(pin.text) }
}

extension PinChangeHandler {
    /// Hands both PINs on as text.
    public func pins(_ oldPin: SecretBytes, _ newPin: SecretBytes) { pins(oldPin.text, newPin.text) }
}

extension PinUserVerificationHandler {
    /// Hands the PIN on as text.
    public func verify(_ pin: SecretBytes) { verify(pin.text) }
}

extension PasswordEnrollmentHandler {
    /// Hands the password on as text.
    public func password(_ password: SecretBytes) { self.password(password.text) }
}

extension PasswordChangeHandler {
    /// Hands both passwords on as text.
    public func passwords(_ oldPassword: SecretBytes, _ newPassword: SecretBytes) {
        passwords(oldPassword.text, newPassword.text)
    }
}

extension PasswordUserVerificationHandler {
    /// Hands the password on as text.
    public func verify(_ password: SecretBytes) { verify(password.text) }
}

extension SecretBytes {
    /// The bytes as text; bytes that are no UTF-8 are replaced.
    fileprivate var text: String { withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
}
