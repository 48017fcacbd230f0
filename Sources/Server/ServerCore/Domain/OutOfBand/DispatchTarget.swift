package import BackendAPI

package typealias DispatchTargetID = OpaqueID<DispatchTarget>

/// Names a dispatch target to other systems.
package typealias TargetExternalID = OpaqueID<TargetLink>

/// One account on one device: where to reach it and by which keys it is recognised.
package struct DispatchTarget: Sendable, Hashable {
    /// Names the target in requests of the device.
    package let id: DispatchTargetID
    /// Names the target to other systems, also in the status of a ceremony.
    package let externalID: TargetExternalID
    package let userID: UserID
    /// The device; nil for one that has not said.
    package let deviceID: DeviceID?
    package let name: DeviceName
    /// The dispatcher that is used when a dispatch names none.
    package let dispatcher: DispatcherName?
    package let destination: PushDestination?
    package let signatureKey: DeviceKey
    /// Seals what only the device may read; nil when it cannot open anything.
    package let encryptionKey: DeviceKey?
    package let createdAt: Timestamp

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

    package func renamed(_ name: DeviceName) -> DispatchTarget {
        DispatchTarget(
            id: id, externalID: externalID, userID: userID, deviceID: deviceID, name: name, dispatcher: dispatcher,
            destination: destination, signatureKey: signatureKey, encryptionKey: encryptionKey, createdAt: createdAt)
    }
}

/// The dispatch targets.
package protocol DispatchTargetRepository: Sendable {
    func target(_ id: DispatchTargetID) async throws(ServerError) -> OwnedTarget?

    /// All targets of a user, oldest first.
    func targets(of user: UserID) async throws(ServerError) -> [DispatchTarget]

    /// Forgets a push destination that the push service does not know any more, unless the device has a new one.
    func unsetPush(
        _ destination: PushDestination, of id: DispatchTargetID, event: AuditEvent
    ) async throws(ServerError)

    /// Forgets some `limit` requests that would not be accepted any more, and returns how many.
    func purgeRequests(before time: Timestamp, limit: Int) async throws(ServerError) -> Int
}
