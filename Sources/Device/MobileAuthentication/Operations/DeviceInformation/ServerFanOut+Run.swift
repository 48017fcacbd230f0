import BackendAPI
import UAFClient

extension ServerFanOut {
    /// Asks every server about this device, unless it was tampered with; those that were not told of a deletion only with
    /// `includingDeparted`.
    static func run(
        on environment: ClientEnvironment, includingDeparted: Bool = false,
        asking ask: (DeviceID, DeviceSnapshot.Target) async -> DeviceAnswer<Body>
    ) async -> ServerFanOut<Body> {
        let objection = await environment.protection.objection()
        return await OperationRunner.run(ServerFanOutMachine<Body>(includesDeparted: includingDeparted)) {
            effect async throws(CeremonyFailure) in
            switch effect {
            case .loadDevice:
                try await environment.store.requireDeviceLock()
                return .device(try await environment.store.snapshot())
            case .ask(let deviceID, let signer):
                if let objection { return .answer(.refused(.failed(.device(DistrustedDevice(cause: objection))))) }
                return .answer(await ask(deviceID, signer))
            }
        }
    }
}
