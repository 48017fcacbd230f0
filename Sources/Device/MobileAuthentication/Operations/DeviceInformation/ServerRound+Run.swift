import BackendAPI
import UAFClient

extension ServerRound {
    /// Asks every server about this device; those that were not told of a deletion only with `includingDeparted`.
    static func run(
        on environment: ClientEnvironment, includingDeparted: Bool = false,
        asking ask: (DeviceID, DeviceSnapshot.Target) async -> DeviceAnswer<Body>
    ) async -> ServerRound<Body> {
        await OperationRunner.run(ServerRoundMachine<Body>(includesDeparted: includingDeparted)) {
            effect async throws(CeremonyFailure) in
            switch effect {
            case .loadDevice:
                try await environment.store.requireDeviceLock()
                return .device(try await environment.store.snapshot())
            case .ask(let deviceID, let signer): return .answer(await ask(deviceID, signer))
            }
        }
    }
}
