import Locking

/// One-shot value: the first one counts, and one task waits for it.
package final class OneShot<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case awaited(CheckedContinuation<Value, Never>)
        case filled(Value)
        /// The value has been handed over, and is not kept.
        case taken
    }

    private let state = Lock(State.empty)

    package init() {}

    /// Whether a value has come, so that work for another one need not begin.
    package var isFilled: Bool {
        state.withLock { state in
            switch state {
            case .empty, .awaited: false
            case .filled, .taken: true
            }
        }
    }

    /// Sets the value, unless there was one already.
    package func fill(_ value: Value) {
        let waiting: CheckedContinuation<Value, Never>? = state.withLock { state in
            switch state {
            case .empty:
                state = .filled(value)
                return nil
            case .awaited(let continuation):
                state = .taken
                return continuation
            case .filled, .taken: return nil
            }
        }
        waiting?.resume(returning: value)
    }

    /// Waits for the value; may be called once.
    package func value() async -> Value {
        await withCheckedContinuation { continuation in
            let early: Value? = state.withLock { state in
                switch state {
                case .filled(let value):
                    state = .taken
                    return value
                case .empty, .awaited, .taken:
                    state = .awaited(continuation)
                    return nil
                }
            }
            if let early { continuation.resume(returning: early) }
        }
    }
}
