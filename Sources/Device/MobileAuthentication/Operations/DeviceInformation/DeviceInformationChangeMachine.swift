import BackendAPI
import UAF
import UAFClient

/// State machine of a change of the device information: every record at the servers in turn, then the one on this
/// device.
struct DeviceInformationChangeMachine: OperationMachine, ~Copyable {
    private typealias Next = Step<Effect, Void, DeviceChangeFailure>

    /// Parameters of the operation, as the application has set them.
    struct Parameters: Sendable {
        /// Change of the push token: a new one, or none.
        enum Push: Hashable, Sendable {
            case token(String)
            case disabled
        }

        var name: String?
        var push: Push?
        var retries = RetryPolicy.noRetry
    }

    enum Effect: OperationEffect {
        case loadDevice
        case change(DeviceSnapshot.Target, DispatchTargetUpdate)
        case wait(Duration)
        case save([DeviceRecordChange])

        var outlivesCancellation: Bool {
            if case .save = self { true } else { false }
        }
    }

    enum Event: OperationEvent {
        case device(DeviceSnapshot)
        case answer(DeviceAnswer<Void>)
        /// Completion of an effect without a result.
        case done
        case failed(CeremonyFailure)
        case canceled

        var refusal: CeremonyFailure? {
            switch self {
            case .failed(let failure): failure
            case .canceled: .canceled
            case .device, .answer, .done: nil
            }
        }
    }

    typealias Output = Void
    typealias Failure = DeviceChangeFailure
    static var cancellation: Event { .canceled }

    /// Progress of the change over the records.
    private struct Round {
        let change: DispatchTargetUpdate
        var current: DeviceSnapshot.Target
        var waiting: [DeviceSnapshot.Target]
        var retries: RetrySchedule
        var failure: DeviceChangeFailure?
    }

    private enum State {
        /// The records of the device are being read.
        case loading(DispatchTargetUpdate)
        /// A server is changing its record.
        case changing(Round)
        /// A server was not reached, and is asked again later.
        case waiting(Round)
        /// The record on this device is being changed.
        case saving
    }

    private let parameters: Parameters
    private var progress = Progress<State, Effect, Void, DeviceChangeFailure>()

    init(_ parameters: Parameters) { self.parameters = parameters }

    mutating func start() -> Step<Effect, Void, DeviceChangeFailure> {
        guard progress.isIdle else { return resume(.canceled) }
        do throws(CeremonyFailure) {
            let change = try self.change()
            return change.isEmpty ? progress.finish(.success(())) : progress.enter(.loading(change), .loadDevice)
        } catch {
            return progress.fail(.ceremony(error))
        }
    }

    mutating func resume(_ event: Event) -> Step<Effect, Void, DeviceChangeFailure> {
        guard let state = progress.state else { return progress.stay(.ceremony(event.failure)) }
        return switch state {
        case .loading(let change): afterLoading(change, event)
        case .changing(let round): afterChange(round, event)
        case .waiting(let round): afterWait(round, event)
        case .saving: afterSaving(event)
        }
    }

    private func change() throws(CeremonyFailure) -> DispatchTargetUpdate {
        var change = DispatchTargetUpdate()
        if let text = parameters.name {
            guard let name = DeviceName(text) else { throw .wrongUse(InvalidParameterError("name")) }
            change.name = name
        }
        switch parameters.push {
        case .token(let token)?:
            guard let destination = PushDestination(token) else {
                throw .wrongUse(InvalidParameterError("fcmRegistrationToken"))
            }
            change.destination = destination
        case .disabled?: change.destination = .disabledByUser
        case nil: break
        }
        return change
    }

    private mutating func afterLoading(_ change: DispatchTargetUpdate, _ event: Event) -> Next {
        guard case .device(let device) = event else { return progress.fail(.ceremony(event.failure)) }
        guard device.deviceInformation != nil, let first = device.targets.first else {
            return progress.fail(.notFound(nil))
        }
        let insecure = device.targets.contains { !$0.server.isSecure }
        guard !insecure else { return progress.fail(.ceremony(.network(InsecureAddressError()))) }
        return ask(
            Round(
                change: change, current: first, waiting: Array(device.targets.dropFirst()),
                retries: RetrySchedule(parameters.retries)))
    }

    private mutating func ask(_ round: Round) -> Next {
        progress.enter(.changing(round), .change(round.current, round.change))
    }

    private mutating func afterChange(_ round: Round, _ event: Event) -> Next {
        guard case .answer(let answer) = event else { return progress.fail(.ceremony(event.failure)) }
        var round = round
        if case .refused(let refusal) = answer {
            if refusal.isPassing, let delay = round.retries.next() {
                return progress.enter(.waiting(round), .wait(delay))
            }
            round.failure = round.failure ?? DeviceChangeFailure(refusal)
        }
        guard let next = round.waiting.first else {
            if let failure = round.failure { return progress.fail(failure) }
            return progress.enter(.saving, .save(localChanges))
        }
        round.current = next
        round.waiting.removeFirst()
        round.retries = RetrySchedule(parameters.retries)
        return ask(round)
    }

    private mutating func afterWait(_ round: Round, _ event: Event) -> Next {
        guard case .done = event else { return progress.fail(.ceremony(event.failure)) }
        return ask(round)
    }

    private var localChanges: [DeviceRecordChange] {
        var changes: [DeviceRecordChange] = []
        if let name = parameters.name { changes.append(.name(name)) }
        switch parameters.push {
        case .token(let token)?: changes.append(.pushToken(token))
        case .disabled?: changes.append(.pushToken(nil))
        case nil: break
        }
        return changes
    }

    private mutating func afterSaving(_ event: Event) -> Next {
        if case .done = event { return progress.finish(.success(())) }
        return progress.fail(.ceremony(event.failure))
    }
}
