import Synchronization

/// Place of one waiter in a queue: it is either taken, and then its work runs, or withdrawn, and then it never does.
package final class QueueSlot<Outcome: Sendable>: Sendable {
    private enum State {
        /// Waiting, and perhaps listened to.
        case open(CheckedContinuation<Outcome, Never>?)
        /// The work runs.
        case taken(CheckedContinuation<Outcome, Never>?)
        /// Ended; the outcome is kept for a listener that is still to come.
        case ended(Outcome?)
    }

    private let state = Mutex(State.open(nil))

    package init() {}

    package var isOpen: Bool {
        state.withLock { state in
            if case .open = state { true } else { false }
        }
    }

    /// Takes the place, so that its work runs; false when it was withdrawn or taken before.
    package func take() -> Bool {
        state.withLock { state in
            guard case .open(let listener) = state else { return false }
            state = .taken(listener)
            return true
        }
    }

    /// Ends the waiting with `outcome` unless the work runs or has run; tells whether it did.
    @discardableResult
    package func withdraw(_ outcome: Outcome) -> Bool {
        let (isWithdrawn, listener) = state.withLock { state -> (Bool, CheckedContinuation<Outcome, Never>?) in
            guard case .open(let listener) = state else { return (false, nil) }
            state = .ended(listener == nil ? outcome : nil)
            return (true, listener)
        }
        listener?.resume(returning: outcome)
        return isWithdrawn
    }

    package func end(_ outcome: Outcome) {
        let listener = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
            guard case .taken(let listener) = state else { return nil }
            state = .ended(listener == nil ? outcome : nil)
            return listener
        }
        listener?.resume(returning: outcome)
    }

    /// Waits for the outcome; once for each place.
    ///
    /// With a lifetime that ends before the place is taken, the outcome is `refused`, at once.
    package func outcome(during lifetime: RequestLifetime?, refused: Outcome) async -> Outcome {
        guard let lifetime else { return await outcome() }
        guard let number = lifetime.enter(withdraw: { self.withdraw(refused) }) else {
            withdraw(refused)
            return await outcome()
        }
        defer { lifetime.leave(number) }
        return await outcome()
    }

    private func outcome() async -> Outcome {
        await withCheckedContinuation { listener in
            let outcome = state.withLock { state -> Outcome? in
                switch state {
                case .open: state = .open(listener)
                case .taken: state = .taken(listener)
                case .ended(let outcome): return outcome
                }
                return nil
            }
            if let outcome { listener.resume(returning: outcome) }
        }
    }
}
