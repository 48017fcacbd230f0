/// Shows the user that a finger is wanted, where the operating system has no dialog for it; implemented by the application.
///
/// It is used with the Linux and Android profiles. With the iOS profile the system draws the dialog, and
/// ``BiometricUserVerifier`` serves fingers too.
@preconcurrency @MainActor
public protocol FingerprintUserVerifier: ValidCredentialsObserver {
    /// Says that a finger is about to be asked for.
    ///
    /// The sensor is read after `listenForOsCredentials()`. It is called again with a recoverable error when the finger was
    /// not recognised; after five of those the operation ends with `userLockout`.
    func verifyFingerprint(
        context: any FingerprintUserVerificationContext, handler: any FingerprintUserVerificationHandler)
}
