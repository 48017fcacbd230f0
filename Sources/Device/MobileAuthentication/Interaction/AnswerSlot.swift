import Synchronization

/// One-shot slot for an answer; the first one counts.
package final class AnswerSlot<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case awaited(CheckedContinuation<UserAnswer<Value>, Never>)
        case filled(UserAnswer<Value>)
        case taken
    }

    private let state = Mutex(State.empty)

    package init() {}

    /// Sets the answer, unless there is one already.
    package func answer(_ answer: UserAnswer<Value>) {
        let waiting: CheckedContinuation<UserAnswer<Value>, Never>? = state.withLock { state in
            switch state {
            case .empty:
                state = .filled(answer)
                return nil
            case .awaited(let continuation):
                state = .taken
                return continuation
            case .filled, .taken: return nil
            }
        }
        waiting?.resume(returning: answer)
    }

    /// Waits for the answer; may be called once.
    package func value() async -> UserAnswer<Value> {
        await withCheckedContinuation { continuation in
            let early: UserAnswer<Value>? = state.withLock { state in
                switch state {
                case .filled(let answer):
                    state = .taken
                    return answer
                case .empty, .awaited, .taken:
                    state = .awaited(continuation)
                    return nil
                }
            }
            if let early { continuation.resume(returning: early) }
        }
    }
}
