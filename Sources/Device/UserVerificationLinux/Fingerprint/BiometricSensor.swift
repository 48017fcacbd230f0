public import HardwareKeys

/// A sensor that the operating system matches fingers with.
///
/// A scan is a call: starting to listen is to call ``scan(_:)``, ending it is to cancel its task. It returns only when
/// the sensor is free again, so a pause is a cancelled scan and going on is another one.
public protocol BiometricSensor: Sendable {
    /// Present status of the sensor; querying it never prompts the user.
    ///
    /// Throws `UserPresenceError.notResponding` when it is not known at the moment.
    func status() async throws(UserPresenceError) -> SensorStatus

    /// Waits for an enrolled finger and returns when one matches; `progress` hears what happens before, on any thread.
    ///
    /// Throws `UserPresenceError`: `mismatch` for a finger that is not enrolled, `unavailable` when
    /// there is no sensor (any more) or nothing is enrolled, `notResponding` when the sensor is in use, its service
    /// fails or no finger comes in time, `cancelled` for a cancelled task.
    func scan(_ progress: @escaping @Sendable (ScanProgress) -> Void) async throws(UserPresenceError)
}
