/// How the attempts to enter a PIN stand, for the dialog with the user.
package struct ProtectionReport: Sendable {
    package let status: PinAuthenticatorProtectionStatus
    /// How long no entry will be looked at.
    package let coolDown: Duration

    package init(status: PinAuthenticatorProtectionStatus, coolDown: Duration) {
        self.status = status
        self.coolDown = coolDown
    }
}
