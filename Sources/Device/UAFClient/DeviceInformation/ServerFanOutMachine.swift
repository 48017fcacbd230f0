package import BackendAPI

/// State machine that asks every server about this device: one after the other, whatever the others said.
///
/// A request is signed with the key for the server and names a record; a server that does not accept one record is
/// asked with the next that this device has there.
package struct ServerFanOutMachine<Body: Sendable>: OperationMachine, ~Copyable {
    private typealias Next = Step<Effect, ServerFanOut<Body>, Never>

    package enum Effect: OperationEffect {
        case loadDevice
        case ask(DeviceID, DeviceSnapshot.Target)

        package var outlivesCancellation: Bool { false }
    }

    package enum Event: OperationEvent {
        case device(DeviceSnapshot)
        case answer(DeviceAnswer<Body>)
        case failed(CeremonyFailure)
        case canceled

        package var refusal: CeremonyFailure? {
            switch self {
            case .failed(let failure): failure
            case .canceled: .canceled
            case .device, .answer: nil
            }
        }
    }

    package typealias Output = ServerFanOut<Body>
    package typealias Failure = Never

    private enum State {
        /// The records of the device are being read.
        case loading
        /// A server was asked; the signers and servers that are still to come.
        case asking(DeviceSnapshot.Target, signers: [DeviceSnapshot.Target], servers: [ServerAddress])
    }

    private let includesDeparted: Bool
    private var progress = Progress<State, Effect, ServerFanOut<Body>, Never>()
    private var round = ServerFanOut<Body>()

    /// Asks the servers with registrations; `includesDeparted` those too that were not told of a deletion.
    package init(includesDeparted: Bool = false) { self.includesDeparted = includesDeparted }

    package mutating func start() -> Step<Effect, ServerFanOut<Body>, Never> {
        guard progress.isIdle else { return resume(.canceled) }
        return progress.enter(.loading, .loadDevice)
    }

    package mutating func resume(_ event: Event) -> Step<Effect, ServerFanOut<Body>, Never> {
        guard let state = progress.state else { return progress.isIdle ? fail(event) : finish() }
        return switch state {
        case .loading: afterLoading(event)
        case .asking(let signer, let signers, let servers): afterAsking(signer, signers, servers, event)
        }
    }

    private mutating func afterLoading(_ event: Event) -> Next {
        guard case .device(let device) = event else { return fail(event) }
        round.device = device
        return ask(includesDeparted ? device.concernedServers : device.servers)
    }

    private mutating func ask(_ servers: [ServerAddress]) -> Next {
        guard let server = servers.first, let device = round.device else { return finish() }
        let rest = Array(servers.dropFirst())
        return ask(with: includesDeparted ? device.signers(at: server) : device.targets(at: server), server, rest)
    }

    private mutating func ask(
        with signers: [DeviceSnapshot.Target], _ server: ServerAddress, _ rest: [ServerAddress]
    ) -> Next {
        guard let signer = signers.first, let id = round.device?.deviceID(at: server) else {
            round.refusals.append(.init(server: server, refusal: .unsupported(nil)))
            return ask(rest)
        }
        return progress.enter(.asking(signer, signers: Array(signers.dropFirst()), servers: rest), .ask(id, signer))
    }

    private mutating func afterAsking(
        _ signer: DeviceSnapshot.Target, _ signers: [DeviceSnapshot.Target],
        _ servers: [ServerAddress], _ event: Event
    ) -> Next {
        guard case .answer(let answer) = event else { return fail(event, at: signer.server) }
        switch answer {
        case .done(let body): round.answers.append(.init(signer: signer, body: body))
        case .refused(.notAccepted) where !signers.isEmpty:
            return ask(with: signers, signer.server, servers)
        // A server that knows nothing of an account that was deleted here agrees with this device.
        case .refused(.notAccepted) where isDeparted(signer), .refused(.unknown) where isDeparted(signer): break
        case .refused(let refusal): round.refusals.append(.init(server: signer.server, refusal: refusal))
        }
        return ask(servers)
    }

    private func isDeparted(_ signer: DeviceSnapshot.Target) -> Bool {
        round.device?.departed.contains { $0.target == signer } ?? false
    }

    /// Ends the round; responses received until now count.
    private mutating func fail(_ event: Event, at server: ServerAddress? = nil) -> Next {
        round.refusals.append(.init(server: server, refusal: .failed(event.failure)))
        return finish()
    }

    private mutating func finish() -> Next { progress.finish(.success(round)) }
}
