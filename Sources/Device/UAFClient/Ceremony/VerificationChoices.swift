/// Choices of the application for authenticators that the operating system verifies; kept with the key for good.
package struct VerificationChoices: Hashable, Sendable {
    package var allowsDevicePasscodeFallback = false
    /// Whether a new finger or face makes the key unusable; nil when the application has not said.
    package var invalidatesOnNewBiometrics: Bool?
    /// Android only: whether weaker sensors may be used.
    package var allowsClass2Sensors = false

    package init() {}

    /// Whether the application has asked by name for two things that exclude each other on some devices.
    package var isContradictory: Bool { allowsDevicePasscodeFallback && invalidatesOnNewBiometrics == true }

    /// A copy with every choice made: invalidation applies unless it was switched off, or has to give way to the
    /// fallback.
    package func complete(fallbackExcludesInvalidation: Bool) -> VerificationChoices {
        var complete = self
        complete.invalidatesOnNewBiometrics =
            invalidatesOnNewBiometrics ?? !(fallbackExcludesInvalidation && allowsDevicePasscodeFallback)
        return complete
    }
}
