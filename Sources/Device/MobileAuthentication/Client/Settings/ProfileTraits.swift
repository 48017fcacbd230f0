package import Authenticators

/// Differences between the families of devices that matter to an operation.
package struct ProfileTraits: Hashable, Sendable {
    /// Whether the application shows that the sensor is read, because the system has no dialog for it.
    package let applicationShowsSensor: Bool
    /// Whether a passcode fallback and the loss of the key with a new finger exclude each other.
    package let refusesContradictions: Bool

    package init(_ profile: DeviceProfile) {
        let isIOS = profile == .iOS
        applicationShowsSensor = !isIOS
        refusesContradictions = !isIOS
    }
}
