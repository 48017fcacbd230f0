import BackendAPI
import UAFClient

extension ServerFanOut {
    /// Asks every server about this device; those that were not told of a deletion only with `includingDeparted`.
    static func run(
        on environment: ClientEnvironment, includingDeparted: Bool = false,
        asking ask: (DeviceID, DeviceSnapshot.Target) async -> DeviceAnswer<Body>
    ) async -> ServerFanOut<Body> {
        await OperationRunner.run(ServerFanOutMachine<Body>(includesDeparted: includingDeparted)) {
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
