/// Progress of a machine: it has not begun, waits in a state, or has ended.
///
/// The common part of all machines: how they enter a state, and that they end once and for good.
package struct Progress<State, Effect, Output, Failure: Error> {
    private enum Position {
        case idle
        case waiting(State)
        case finished(Result<Output, Failure>)
    }

    private var position = Position.idle

    package init() {}

    /// Whether the machine has not begun.
    package var isIdle: Bool {
        if case .idle = position { true } else { false }
    }

    /// State that waits for an event; nil before the beginning and after the end.
    package var state: State? {
        if case .waiting(let state) = position { state } else { nil }
    }

    package mutating func enter(_ next: State, _ effect: Effect) -> Step<Effect, Output, Failure> {
        position = .waiting(next)
        return .perform(effect)
    }

    package mutating func finish(_ result: Result<Output, Failure>) -> Step<Effect, Output, Failure> {
        position = .finished(result)
        return .finish(result)
    }

    package mutating func fail(_ failure: Failure) -> Step<Effect, Output, Failure> { finish(.failure(failure)) }

    /// Step for an event that no state waits for: the end again, or `failure` before the beginning.
    package mutating func stay(_ failure: Failure) -> Step<Effect, Output, Failure> {
        if case .finished(let result) = position { .finish(result) } else { finish(.failure(failure)) }
    }
}
