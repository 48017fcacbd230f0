package import BackendAPI

/// Names a dispatch target for ever.
package typealias DispatchTargetID = OpaqueID<DispatchTarget>

/// Names a dispatch target to other systems.
package typealias TargetExternalID = OpaqueID<TargetLink>

/// One account on one device: where to reach it and by which keys it is recognised (`backend-http-api` 2.3).
package struct DispatchTarget: Sendable, Hashable {
    /// Names the target in requests of the device.
    package let id: DispatchTargetID
    /// Names the target to other systems, also in the status of an operation.
    package let externalID: TargetExternalID
    /// The account.
    package let userID: UserID
    /// The device; nil for one that has not said.
    package let deviceID: DeviceID?
    /// What the person calls the device.
    package let name: DeviceName
    /// The dispatcher that is used when a dispatch names none.
    package let dispatcher: DispatcherName?
    /// Where messages are pushed; nil while the device has named no destination.
    package let destination: PushDestination?
    /// Verifies what the device signs.
    package let signatureKey: DeviceKey
    /// Seals what only the device may read; nil when it cannot open anything.
    package let encryptionKey: DeviceKey?
    /// When the target was made.
    package let createdAt: Timestamp

    /// Describes a target.
    package init(
        id: DispatchTargetID, externalID: TargetExternalID, userID: UserID, deviceID: DeviceID?,
        name: DeviceName, dispatcher: DispatcherName?, destination: PushDestination?, signatureKey: DeviceKey,
        encryptionKey: DeviceKey?, createdAt: Timestamp
    ) {
        self.id = id
        self.externalID = externalID
        self.userID = userID
        self.deviceID = deviceID
        self.name = name
        self.dispatcher = dispatcher
        self.destination = destination
        self.signatureKey = signatureKey
        self.encryptionKey = encryptionKey
        self.createdAt = createdAt
    }

    /// The same target under another name.
    package func renamed(_ name: DeviceName) -> DispatchTarget {
        DispatchTarget(
            id: id, externalID: externalID, userID: userID, deviceID: deviceID, name: name, dispatcher: dispatcher,
            destination: destination, signatureKey: signatureKey, encryptionKey: encryptionKey, createdAt: createdAt)
    }
}
