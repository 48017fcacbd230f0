/// Starts the sensor; the first call wins, later ones do nothing.
public protocol FingerprintUserVerificationHandler: Sendable {
    /// Begins to read the sensor; what it returns can pause that.
    @discardableResult
    func listenForOsCredentials() -> any OsAuthenticationListenHandler

    /// Ends the operation with `userCanceled`.
    func cancel()
}
