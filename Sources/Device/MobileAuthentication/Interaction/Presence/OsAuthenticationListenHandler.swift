/// Controls a sensor that is being read; every method does nothing once the user was verified or the operation has
/// ended.
///
/// It may be dropped: listening then simply goes on.
public protocol OsAuthenticationListenHandler: Sendable {
    /// Stops reading the sensor, for example while the application is in the background.
    ///
    /// The time for the answer goes on.
    func pauseListening()

    /// Reads the sensor again.
    func resumeListening()

    /// Ends the operation with `userCanceled`.
    func cancelAuthentication()
}
