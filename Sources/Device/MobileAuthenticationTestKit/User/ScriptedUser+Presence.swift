public import MobileAuthentication

/// Lets the operating system ask; the result of the sensor is scripted with ``FakeEnclave``.
extension ScriptedUser: BiometricUserVerifier, DevicePasscodeUserVerifier, FingerprintUserVerifier {
    /// Lets the operating system ask for finger or face.
    public func verifyBiometric(
        context: any BiometricUserVerificationContext, handler: any BiometricUserVerificationHandler
    ) {
        react(
            to: Prompt(.verifyBiometric),
            Question(
                approve: { handler.verify() }, deny: { handler.cancel() }, enter: { _ in handler.cancel() }))
    }

    /// Lets the operating system ask for the passcode.
    public func verifyDevicePasscode(
        context: any DevicePasscodeUserVerificationContext, handler: any DevicePasscodeUserVerificationHandler
    ) {
        react(
            to: Prompt(.verifyDevicePasscode),
            Question(
                approve: { handler.verify() }, deny: { handler.cancel() }, enter: { _ in handler.cancel() }))
    }

    /// Lets the sensor be read.
    public func verifyFingerprint(
        context: any FingerprintUserVerificationContext, handler: any FingerprintUserVerificationHandler
    ) {
        var prompt = Prompt(.verifyFingerprint)
        prompt.refusal = context.lastRecoverableError?.localizedDescription
        react(
            to: prompt,
            Question(
                approve: { handler.listenForOsCredentials() }, deny: { handler.cancel() },
                enter: { _ in handler.cancel() }))
    }
}
