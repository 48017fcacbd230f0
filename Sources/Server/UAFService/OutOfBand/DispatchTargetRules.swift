import BackendAPI
import JOSE
import ServerCore

/// Rules for dispatch targets: keys that are for the right thing, dispatchers that are there.
struct DispatchTargetRules: Sendable {
    let dispatchers: DispatcherSet
    let random: any RandomSource
    let clock: any WallClock

    /// The name, if a dispatcher of it is configured; throws ``ServerError/dispatcherUnknown``.
    func knownDispatcher(_ name: DispatcherName) throws(ServerError) -> DispatcherName {
        guard dispatchers.current[name] != nil else { throw .dispatcherUnknown }
        return name
    }

    /// A target as it is to be stored, with the dispatcher that it prefers here.
    ///
    /// Throws ``ServerError/malformedRequest`` when a key is for something else.
    func newTarget(
        _ proposed: NewDispatchTarget, of user: UserID, dispatcher: DispatcherName?
    ) throws(ServerError) -> DispatchTarget {
        guard (try? proposed.signatureKey.verificationAlgorithm()) != nil else { throw .malformedRequest }
        return DispatchTarget(
            id: DispatchTargetID(from: random), externalID: TargetExternalID(from: random), userID: user,
            deviceID: proposed.deviceID, name: proposed.name, dispatcher: dispatcher,
            destination: proposed.destination, signatureKey: DeviceKey(proposed.signatureKey),
            encryptionKey: try proposed.encryptionKey.map(encryptionKey), createdAt: clock.now())
    }

    /// A key to seal with; throws ``ServerError/malformedRequest`` when it is for something else.
    func encryptionKey(_ key: JWK) throws(ServerError) -> DeviceKey {
        guard (try? key.encryptionAlgorithms()) != nil else { throw .malformedRequest }
        return DeviceKey(key)
    }
}

extension DispatchTarget {
    var identifiers: CreatedDispatchTarget { CreatedDispatchTarget(id: id.text, externalID: externalID.text) }
}
