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

    /// Lets a signed request take effect in one transaction (``ApplyDeviceChange``); throws the error of its refusal.
    func apply<Value: Sendable>(
        _ request: SignedRequest, _ event: AuditEvent, _ body: @escaping DeviceRequestBody<Value>
    ) async throws(ServerError) -> Value {
        let result = try await storage.transaction { transaction throws(ServerTransactionFailure) in
            try body(ApplyDeviceChange(in: transaction, request: request, event: event))
        }
        do throws(ApplyDeviceChange.Refusal) {
            return try result.get()
        } catch {
            throw error.error
        }
    }
}

/// Effect of a signed request, with its result.
typealias DeviceRequestBody<Value> =
    @Sendable (ApplyDeviceChange) throws(ServerTransactionFailure) -> Result<Value, ApplyDeviceChange.Refusal>

extension DispatchTarget {
    /// Identifiers that the device receives.
    var identifiers: CreatedDispatchTarget { CreatedDispatchTarget(id: id.text, externalID: externalID.text) }
}
