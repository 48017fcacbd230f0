import UAF
import UAFClient

/// Performer of the effects of the machine that redeems a token.
struct OutOfBandPerformer: Sendable {
    private let environment: ClientEnvironment
    private let exchange: BackendExchange
    private let participants: Participants

    private init(_ environment: ClientEnvironment, _ exchange: BackendExchange, _ participants: Participants) {
        self.environment = environment
        self.exchange = exchange
        self.participants = participants
    }

    static func redeem(
        _ parameters: OutOfBandMachine<SDKValues>.Parameters, headers: [String: String], _ participants: Participants,
        _ environment: ClientEnvironment
    ) async throws(OutOfBandFailure) -> OutOfBandOutcome {
        let exchange = BackendExchange(environment, headers: headers, credentials: .none)
        let performer = OutOfBandPerformer(environment, exchange, participants)
        let machine = OutOfBandMachine<SDKValues>(parameters)
        let outcome = try await OperationRunner.run(machine, performing: performer.perform)
        return outcome.over(exchange.channelBinding)
    }

    private func perform(
        _ effect: OutOfBandMachine<SDKValues>.Effect
    ) async throws(CeremonyFailure) -> OutOfBandMachine<SDKValues>.Event {
        switch effect {
        case .loadDevice:
            try await environment.store.requireDeviceLock()
            return .device(try await environment.store.snapshot())
        case .open(let message, let servers):
            let opener = DeviceMessageOpener(store: environment.store)
            let opened = try await opener.open(message.token, withKeysFor: servers)
            return .opened(opened.plaintext, opened.server)
        case .confirm(let question):
            let conversation = Conversation(environment: environment, participants: participants)
            return .consent(try await conversation.consent(question))
        case .redeem(let token, let address):
            if address.operation == .deregistration { try await environment.store.requireWritable() }
            return .request(await exchange.redeem(token, at: address.link.url))
        case .checkFacet(let header): return .facet(await environment.facets.verdict(on: header))
        case .remove(let credentials):
            try await environment.store.remove(credentials)
            await environment.store.destroyForgottenKeys()
            return .done
        }
    }
}
