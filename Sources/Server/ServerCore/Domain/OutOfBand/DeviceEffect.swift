package import BackendAPI
package import UAF

/// What a signed request of a device asks for (`backend-http-api` 4.2 to 4.5).
///
/// Everything it names is looked for among the targets with the same device id and the same signature key.
package enum DeviceEffect: Sendable, Hashable {
    /// Credentials to remove.
    package struct Removal: Sendable, Hashable {
        /// The user's name or external id.
        package let username: UserName
        /// The model; nil for all credentials of the user on this device.
        package let aaid: AAID?
        /// The key; nil for all of the model.
        package let keyID: KeyID?

        /// Names what to remove.
        package init(username: UserName, aaid: AAID? = nil, keyID: KeyID? = nil) {
            self.username = username
            self.aaid = aaid
            self.keyID = keyID
        }
    }

    /// Changes the target that signed.
    case change(TargetChange)
    /// Tells what the server knows of the device.
    case read(DeviceID)
    /// Tells which operations wait for the device.
    case pending(DeviceID)
    /// Removes credentials and targets: all of them, or nothing when one is not there.
    case remove(DeviceID, [Removal], targets: [DispatchTargetID])
    /// Removes all targets of the device with all their credentials.
    case removeDevice(DeviceID)

    /// Whether it does more than read.
    package var changesSomething: Bool {
        switch self {
        case .read, .pending: false
        case .change, .remove, .removeDevice: true
        }
    }
}
