import BackendAPI

/// Responses of the servers of this device.
struct ServerRound<Body: Sendable>: Sendable {
    /// Response of one server.
    struct Answer: Sendable {
        /// The record that signed.
        let signer: DeviceSnapshot.Target
        let body: Body
    }

    /// Failure of one server to answer; without a server when none could be asked.
    struct Refusal: Sendable {
        let server: ServerAddress?
        let refusal: DeviceRefusal
    }

    /// Snapshot of this device at the time of the requests.
    var device: DeviceSnapshot?
    var answers: [Answer] = []
    var refusals: [Refusal] = []

    /// Asks every server about this device; those that were not told of a deletion only with `includingDeparted`.
    static func run(
        on environment: ClientEnvironment, includingDeparted: Bool = false,
        asking ask: (DeviceID, DeviceSnapshot.Target) async -> DeviceAnswer<Body>
    ) async -> ServerRound<Body> {
        await OperationRunner.run(ServerRoundMachine<Body>(includesDeparted: includingDeparted)) { effect in
            do throws(CeremonyFailure) {
                switch effect {
                case .loadDevice:
                    try await environment.store.requireDeviceLock()
                    return .device(try await environment.store.snapshot())
                case .ask(let deviceID, let signer): return .answer(await ask(deviceID, signer))
                }
            } catch {
                return .failed(error)
            }
        }
    }
}
