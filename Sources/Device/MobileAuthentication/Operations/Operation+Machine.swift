/// The rules of one operation, without anything that waits.
///
/// A machine says what is to be done next, is told what came of it, and in the end how the operation ended. It has no
/// clock, no randomness, no network and no store. A finished machine answers every event with the same finish.
package protocol OperationMachine<Event, Effect>: ~Copyable {
    /// What can happen to the operation.
    associatedtype Event: Sendable
    /// What the operation can ask for.
    associatedtype Effect: OperationEffect
    /// What a successful operation gives.
    associatedtype Output: Sendable
    /// How an operation fails.
    associatedtype Failure: Error

    /// Begins.
    mutating func start() -> Step<Effect, Output, Failure>

    /// Goes on after something has happened.
    mutating func resume(_ event: Event) -> Step<Effect, Output, Failure>

    /// The event that tells the machine that the operation was canceled from outside.
    ///
    /// It comes instead of an effect: what the machine asked for last was not begun.
    static var cancellation: Event { get }
}

/// Something that an operation wants done.
package protocol OperationEffect: Sendable {
    /// Whether a canceled operation still has to do it: cleaning up, and remembering what the server has confirmed.
    var outlivesCancellation: Bool { get }
}

/// Carries out what a machine asks for until the machine has finished.
package enum OperationRunner {
    /// Whether the operation was canceled before its turn came: then nothing of it is performed, because another one is
    /// at work.
    @TaskLocal static var isTurnedAway = false

    /// Runs a machine to its end.
    ///
    /// A canceled task performs nothing more but what outlives cancellation; the machine learns of it by an event.
    package static func run<Machine: OperationMachine & ~Copyable>(
        _ machine: consuming Machine, performing perform: (Machine.Effect) async -> Machine.Event
    ) async throws(Machine.Failure) -> Machine.Output {
        var step = machine.start()
        while true {
            switch step {
            case .finish(let result): return try result.get()
            case .perform(let effect):
                let isOver = isTurnedAway || Task.isCancelled && !effect.outlivesCancellation
                step = machine.resume(isOver ? Machine.cancellation : await perform(effect))
            }
        }
    }
}
