import BackendAPI
import JOSE

extension CeremonyContext {
    /// Verifies what devices sign, at this moment.
    func deviceVerification() -> DeviceRequestVerification {
        DeviceRequestVerification(
            settings: settings.outOfBand, targets: storage.targets, now: ports.wall.now(),
            serverTime: ports.clock.now())
    }

    /// The dispatcher of this name.
    func dispatcher(named name: DispatcherName) -> (any Dispatcher)? { ports.dispatchers.first { $0.name == name } }

    /// The name, if a dispatcher of it is configured; throws ``ServerError/dispatcherUnknown``.
    func knownDispatcher(_ name: DispatcherName) throws(ServerError) -> DispatcherName {
        guard dispatcher(named: name) != nil else { throw .dispatcherUnknown }
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
            id: DispatchTargetID(from: ports.random), externalID: TargetExternalID(from: ports.random), userID: user,
            deviceID: proposed.deviceID, name: proposed.name, dispatcher: dispatcher,
            destination: proposed.destination, signatureKey: DeviceKey(proposed.signatureKey),
            encryptionKey: try proposed.encryptionKey.map(encryptionKey), createdAt: ports.clock.now())
    }

    /// A key to seal with; throws ``ServerError/malformedRequest`` when it is for something else.
    func encryptionKey(_ key: JWK) throws(ServerError) -> DeviceKey {
        guard (try? key.encryptionAlgorithms()) != nil else { throw .malformedRequest }
        return DeviceKey(key)
    }

    /// Throws what a signed request ended with unless it was done.
    func requireDone(_ result: DeviceResult, missing: ServerError) throws(ServerError) {
        switch result {
        case .done, .accounts, .operations: return
        case .replayed: throw .requestReplayed
        case .targetGone: throw .signatureInvalid
        case .userInactive: throw .forbidden
        case .nameInUse: throw .targetNameInUse
        case .notFound: throw missing
        }
    }
}

extension DispatchTarget {
    /// Identifiers that the device receives.
    var identifiers: CreatedDispatchTarget { CreatedDispatchTarget(id: id.text, externalID: externalID.text) }
}
