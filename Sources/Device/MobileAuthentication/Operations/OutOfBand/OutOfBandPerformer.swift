import BackendAPI
import JOSE
import UAF

/// Does what the machine that redeems a token asks for.
struct OutOfBandPerformer: Sendable {
    private typealias Event = OutOfBandMachine.Event

    private let environment: ClientEnvironment
    private let exchange: BackendExchange

    private init(_ environment: ClientEnvironment, _ exchange: BackendExchange) {
        self.environment = environment
        self.exchange = exchange
    }

    /// Gets what is behind a payload.
    static func redeem(
        _ content: OutOfBandEnvelope.Content?, headers: [String: String], _ environment: ClientEnvironment
    ) async throws(OutOfBandFailure) -> OutOfBandOutcome {
        var order = OutOfBandMachine.Order(server: environment.server)
        order.content = content
        let exchange = BackendExchange(environment, headers: headers, credentials: .none)
        let performer = OutOfBandPerformer(environment, exchange)
        return try await OperationRunner.run(OutOfBandMachine(order)) { await performer.perform($0) }
    }

    private func perform(_ effect: OutOfBandMachine.Effect) async -> OutOfBandMachine.Event {
        do throws(CeremonyFailure) {
            switch effect {
            case .loadDevice:
                try await environment.store.requireDeviceLock()
                return .device(try await environment.store.snapshot())
            case .open(let token, let servers):
                let opened = try await DeviceSeal(store: environment.store).open(token, withKeysFor: servers)
                return .opened(opened.plaintext, opened.server)
            case .redeem(let token, let target): return .request(await exchange.redeem(token, at: target.url))
            case .checkFacet(let header): return .facet(await environment.facets.verdict(on: header))
            case .remove(let credentials):
                try await environment.store.remove(credentials)
                await environment.store.destroyForgottenKeys()
                return .done
            }
        } catch {
            return .failed(error)
        }
    }
}
