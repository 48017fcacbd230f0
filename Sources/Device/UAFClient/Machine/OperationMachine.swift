import UAF

/// State machine of one operation, without anything that waits.
///
/// A machine says what is to be done next, is told what came of it, and in the end how the operation ended. It has no
/// clock, no randomness, no network and no store. A finished machine answers every event with the same finish.
package protocol OperationMachine<Event, Effect>: ~Copyable {
    associatedtype Event: OperationEvent
    associatedtype Effect: OperationEffect
    associatedtype Output: Sendable
    associatedtype Failure: Error

    mutating func start() -> Step<Effect, Output, Failure>

    mutating func resume(_ event: Event) -> Step<Effect, Output, Failure>
}

/// Effect that an operation asks for.
package protocol OperationEffect: Sendable {
    /// Whether a canceled operation still has to do it: cleaning up, and remembering what the server has confirmed.
    var outlivesCancellation: Bool { get }
}

/// Runner that carries out the effects of a machine until the machine has finished.
package enum OperationRunner {
    /// Whether the operation was canceled before its turn came: then none of its effects is performed, because another
    /// operation is running.
    @TaskLocal package static var isCanceledBeforeStart = false

    /// Runs a machine to its end.
    ///
    /// A canceled task performs only the effects that outlive cancellation; the machine receives an event.
    package static func run<Machine: OperationMachine & ~Copyable>(
        _ machine: consuming Machine,
        performing perform: (Machine.Effect) async throws(CeremonyFailure) -> Machine.Event
    ) async throws(Machine.Failure) -> Machine.Output {
        var step = machine.start()
        while true {
            switch step {
            case .finish(let result): return try result.get()
            case .perform(let effect):
                let isOver = isCanceledBeforeStart || Task.isCancelled && !effect.outlivesCancellation
                step = machine.resume(isOver ? .canceled : await event(of: effect, performing: perform))
            }
        }
    }

    private static func event<Effect, Event: OperationEvent>(
        of effect: Effect, performing perform: (Effect) async throws(CeremonyFailure) -> Event
    ) async -> Event {
        do throws(CeremonyFailure) {
            return try await perform(effect)
        } catch {
            return .failed(error)
        }
    }
}

/// Event of an operation: the result of an effect, or the reason why there is none.
package protocol OperationEvent: Sendable {
    static func failed(_ failure: CeremonyFailure) -> Self

    /// The operation was canceled from outside, before the effect that the machine asked for was begun.
    static var canceled: Self { get }

    /// Reason why an effect has no result; nil for a result.
    var refusal: CeremonyFailure? { get }
}

extension OperationEvent {
    /// Failure with which a machine ends that this event does not advance.
    package var failure: CeremonyFailure { refusal ?? .fido(.unknown) }
}
