import BackendAPI
import UAF

/// Notice to a server that an account was deleted on this device, and that its keys are gone.
struct DepartureNotice: Sendable {
    private let exchange: DeviceExchange

    init(_ environment: ClientEnvironment, headers: [String: String]) {
        exchange = DeviceExchange(environment, headers: headers)
    }

    /// Tells the server, if there is something to tell; returns whether it has removed something.
    ///
    /// What it cannot be told now is kept for the next time.
    @discardableResult
    func deliver(of username: UserName, to server: ServerAddress) async -> Bool {
        let device = try? await exchange.environment.store.snapshot()
        guard let departure = device?.departure(of: username, at: server) else { return false }
        let removal = DeviceRemoval(
            credentials: departure.credentials.map {
                DeviceChange.Removal(username: username, aaid: $0.aaid, keyID: $0.keyID)
            }, targetIDs: [departure.target.identifier])
        switch await exchange.remove(removal, from: departure.deviceID, departure.target) {
        case .done: return true
        case .refused: return false
        }
    }
}
