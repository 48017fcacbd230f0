import BackendAPI
import UAF

/// Does what the deregistration machine asks for.
struct DeregistrationPerformer: Sendable {
    private typealias Event = DeregistrationMachine.Event

    private let environment: ClientEnvironment
    private let exchange: BackendExchange
    private let deviceExchange: DeviceExchange

    init(_ environment: ClientEnvironment, _ exchange: BackendExchange, _ deviceExchange: DeviceExchange) {
        self.deviceExchange = deviceExchange
        self.environment = environment
        self.exchange = exchange
    }

    /// Carries out one effect.
    func perform(_ effect: DeregistrationMachine.Effect) async -> DeregistrationMachine.Event {
        do throws(CeremonyFailure) {
            return try await event(of: effect)
        } catch {
            return .failed(error)
        }
    }

    private func event(of effect: DeregistrationMachine.Effect) async throws(CeremonyFailure) -> Event {
        switch effect {
        case .loadDevice: return .device(try await environment.store.snapshot())
        case .fetchRequest(let username, let server, let credentials):
            return .request(await fetch(username, server, credentials))
        case .checkFacet(let header): return .facet(await environment.facets.verdict(on: header))
        case .removeThere(let removal, let deviceID, let signer):
            return .answer(await deviceExchange.remove(removal, from: deviceID, signer))
        case .remove(let credentials):
            try await environment.store.remove(credentials)
            await environment.store.destroyForgottenKeys()
            return .done
        }
    }

    private func fetch(
        _ username: UserName, _ server: ServerAddress, _ credentials: [CredentialID]
    ) async -> RequestAnswer<DeregistrationRequest> {
        let resource = BackendResource(
            server: server, path: environment.configuration.deregistrationRequestPath)
        return await exchange.fetch(
            DeregistrationContext(username: username, scope: .keys(credentials)), from: resource)
    }
}
