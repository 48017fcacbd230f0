import HardwareKeys
import Synchronization

/// One-shot result of an operation that cannot be interrupted, awaited no longer than its caller wants.
///
/// A call into a library of the system cannot be ended from outside. When the caller's task is cancelled or the time
/// limit has passed, the caller gets a result at once and the operation continues unobserved; its own result is
/// dropped.
final class FirstAnswer<Answer: Sendable>: Sendable {
    private typealias Outcome = Result<Answer, UserPresenceError>

    private enum State: Sendable {
        case open
        case awaited(CheckedContinuation<Outcome, Never>)
        case settled(Outcome)
    }

    private let state = Mutex(State.open)

    /// Whether nobody waits any more, so that work not yet begun need not begin.
    var isSettled: Bool {
        state.withLock { state in
            if case .settled = state { true } else { false }
        }
    }

    /// Starts `work` and waits for its answer.
    ///
    /// Throws what the work says, ``UserPresenceError/cancelled`` when the task is cancelled, and
    /// ``UserPresenceError/notResponding`` when `limit` has passed.
    static func wait(
        atMost limit: Duration,
        for work: @escaping @Sendable (FirstAnswer) async -> Result<Answer, UserPresenceError>
    ) async throws(UserPresenceError) -> Answer {
        let answer = FirstAnswer()
        Task { answer.settle(await work(answer)) }
        let timer = Task {
            guard (try? await Task.sleep(for: limit)) != nil else { return }
            answer.settle(.failure(.notResponding))
        }
        defer { timer.cancel() }
        let outcome = await withTaskCancellationHandler {
            await answer.outcome()
        } onCancel: {
            answer.settle(.failure(.cancelled))
        }
        return try outcome.get()
    }

    private func outcome() async -> Outcome {
        await withCheckedContinuation { continuation in
            let settled: Outcome? = state.withLock { state in
                guard case .settled(let outcome) = state else {
                    state = .awaited(continuation)
                    return nil
                }
                return outcome
            }
            if let settled { continuation.resume(returning: settled) }
        }
    }

    private func settle(_ outcome: Outcome) {
        let waiting: CheckedContinuation<Outcome, Never>? = state.withLock { state in
            switch state {
            case .settled: return nil
            case .open:
                state = .settled(outcome)
                return nil
            case .awaited(let continuation):
                state = .settled(outcome)
                return continuation
            }
        }
        waiting?.resume(returning: outcome)
    }
}
