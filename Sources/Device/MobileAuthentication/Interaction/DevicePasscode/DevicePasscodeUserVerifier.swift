/// Decides when the operating system asks for the passcode of the device; implemented by the application.
@preconcurrency @MainActor
public protocol DevicePasscodeUserVerifier: ValidCredentialsObserver {
    /// Says that the passcode of the device is about to be asked for.
    ///
    /// The dialog itself is shown by the operating system after `verify()` or `verify(using:)`. It is called again when the
    /// passcode was wrong.
    func verifyDevicePasscode(
        context: any DevicePasscodeUserVerificationContext, handler: any DevicePasscodeUserVerificationHandler)
}
