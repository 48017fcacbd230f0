import BackendAPI
import Octets
import UAF

/// State machine of a change of the device information: every record at the servers in turn, then the one on this
/// device.
///
/// The record on this device changes when all servers have taken the change. Which have not is remembered, so that the
/// refusal of one server makes no difference to what is compared with another, or given to it.
package struct DeviceInformationChangeMachine: OperationMachine, ~Copyable {
    private typealias Next = Step<Effect, Void, DeviceChangeFailure>

    /// Progress of the change over the records.
    private struct Round {
        let change: DispatchTargetUpdate
        var current: DeviceSnapshot.Target
        var waiting: [DeviceSnapshot.Target]
        var retries: RetrySchedule
        var failure: DeviceChangeFailure?
        /// Servers with a record that has not changed.
        var refusing: Set<ServerAddress> = []
    }

    private enum State {
        /// The records of the device are being read.
        case loading(DispatchTargetUpdate)
        /// A server is changing its record.
        case changing(Round)
        /// A server was not reached, and is asked again later.
        case waiting(Round)
        /// The record on this device is being changed; with the reason why not all servers have.
        case saving(DeviceChangeFailure?)
    }

    private let parameters: Parameters
    private var progress = Progress<State, Effect, Void, DeviceChangeFailure>()

    package init(_ parameters: Parameters) { self.parameters = parameters }

    package mutating func start() -> Step<Effect, Void, DeviceChangeFailure> {
        guard progress.isIdle else { return resume(.canceled) }
        do throws(CeremonyFailure) {
            let change = try self.change()
            return change.isEmpty ? progress.finish(.success(())) : progress.enter(.loading(change), .loadDevice)
        } catch {
            return progress.fail(.ceremony(error))
        }
    }

    package mutating func resume(_ event: Event) -> Step<Effect, Void, DeviceChangeFailure> {
        guard let state = progress.state else { return progress.stay(.ceremony(event.failure)) }
        return switch state {
        case .loading(let change): afterLoading(change, event)
        case .changing(let round): afterChange(round, event)
        case .waiting(let round): afterWait(round, event)
        case .saving(let failure): afterSaving(failure, event)
        }
    }

    private func change() throws(CeremonyFailure) -> DispatchTargetUpdate {
        var change = DispatchTargetUpdate()
        if let text = parameters.name {
            guard let name = DeviceName(text) else { throw .wrongUse(CeremonyFault.invalidParameter("name")) }
            change.name = name
        }
        switch parameters.push {
        case .token(let token)?:
            guard let destination = PushDestination(token.reveal()) else {
                throw .wrongUse(CeremonyFault.invalidParameter("fcmRegistrationToken"))
            }
            change.destination = destination
        case .disabled?: change.destination = .disabledByUser
        case nil: break
        }
        return change
    }

    private mutating func afterLoading(_ change: DispatchTargetUpdate, _ event: Event) -> Next {
        guard case .device(let device) = event else { return progress.fail(.ceremony(event.failure)) }
        guard device.record != nil, let first = device.targets.first else {
            return progress.fail(.notFound(nil))
        }
        let insecure = device.targets.contains { !$0.server.isSecure }
        guard !insecure else { return progress.fail(.ceremony(.network(CeremonyFault.insecureAddress))) }
        return ask(
            Round(
                change: change, current: first, waiting: Array(device.targets.dropFirst()),
                retries: parameters.retries))
    }

    private mutating func ask(_ round: Round) -> Next {
        progress.enter(.changing(round), .change(round.current, round.change))
    }

    private mutating func afterChange(_ round: Round, _ event: Event) -> Next {
        guard case .answer(let answer) = event else { return interrupt(round, event) }
        var round = round
        if case .refused(let refusal) = answer {
            if refusal.isPassing, let delay = round.retries.next() {
                return progress.enter(.waiting(round), .wait(delay))
            }
            round.failure = round.failure ?? DeviceChangeFailure(refusal)
            round.refusing.insert(round.current.server)
        }
        guard let next = round.waiting.first else {
            return save(round)
        }
        round.current = next
        round.waiting.removeFirst()
        round.retries = parameters.retries
        return ask(round)
    }

    private mutating func afterWait(_ round: Round, _ event: Event) -> Next {
        guard case .done = event else { return interrupt(round, event) }
        return ask(round)
    }

    private mutating func interrupt(_ round: Round, _ event: Event) -> Next {
        var round = round
        round.refusing.formUnion(([round.current] + round.waiting).map(\.server))
        round.failure = .ceremony(event.failure)
        return save(round)
    }

    private mutating func save(_ round: Round) -> Next {
        let changes = DeviceRecordChange.changes(parameters.name, parameters.push)
        let isTaken = round.refusing.isEmpty
        return progress.enter(
            .saving(round.failure), .save(isTaken ? changes : [.refused(by: round.refusing, changes)]))
    }

    private mutating func afterSaving(_ failure: DeviceChangeFailure?, _ event: Event) -> Next {
        guard case .done = event else { return progress.fail(failure ?? .ceremony(event.failure)) }
        return failure.map { progress.fail($0) } ?? progress.finish(.success(()))
    }
}
