import HardwareKeys
import UAF
import UAFClient

/// Dialog with the user through the application, with a time-out.
struct UserDialog: Sendable {
    let clock: any MonotonicClock
    /// Time-out of each answer.
    let patience: Duration
    /// The mutex that the asking operation holds.
    var turn = AsyncMutex()

    /// Question in whose handler a task was begun.
    struct Mark: Sendable {
        let turn: AsyncMutex
        let isOver: @Sendable () -> Bool
    }

    @TaskLocal static var mark: Mark?

    /// Whether the current task has to answer before another operation can have the mutex.
    static func isAsking(by turn: AsyncMutex) -> Bool {
        mark.map { $0.turn === turn && !$0.isOver() } ?? false
    }

    /// Presents a question on the main actor and waits for the answer.
    ///
    /// Nothing is presented when the server has stopped waiting already.
    func ask<Value: Sendable>(
        _ limit: QuestionLimit, _ present: @escaping @MainActor @Sendable (OpenQuestion<Value>) -> Void
    ) async -> UserAnswer<Value> {
        guard let time = time(under: limit) else { return .timedOut }
        let question = OpenQuestion<Value>()
        let mark = Mark(turn: turn) { question.isOver }
        await MainActor.run { Self.$mark.withValue(mark) { present(question) } }
        return await wait(for: question, atMost: time)
    }

    /// Waits for the verification of the user by the operating system.
    ///
    /// After the time-out `work` is canceled; should it succeed nevertheless, that counts.
    func await<Value: Sendable>(
        _ limit: QuestionLimit, _ work: @escaping @Sendable () async -> Result<Value, CeremonyFailure>
    ) async -> Result<Value, CeremonyFailure> {
        guard let time = time(under: limit) else { return .failure(.fido(.userNotResponsive)) }
        return await withTaskGroup(of: Result<Value, CeremonyFailure>?.self) { group in
            group.addTask { await work() }
            group.addTask { [clock] in
                try? await clock.sleep(for: time)
                return nil
            }
            var isLate = false
            while let ended = await group.next() {
                guard let result = ended else {
                    // A canceled operation ends the sleep as well; then the work tells so itself.
                    isLate = !Task.isCancelled
                    group.cancelAll()
                    continue
                }
                group.cancelAll()
                if case .failure = result, isLate { return .failure(.fido(.userNotResponsive)) }
                return result
            }
            return .failure(.canceled)
        }
    }

    /// The time for an answer; nil when there is none left.
    private func time(under limit: QuestionLimit) -> Duration? {
        var time = patience + limit.coolDown
        if let expiry = limit.expiry { time = min(time, expiry - clock.now) }
        return time > .zero ? time : nil
    }

    private func wait<Value: Sendable>(
        for question: OpenQuestion<Value>, atMost time: Duration
    ) async -> UserAnswer<Value> {
        await withTaskCancellationHandler {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { [clock] in
                    do throws(CancellationError) {
                        try await clock.sleep(for: time)
                        question.fill(.timedOut)
                    } catch {
                        // The answer came first.
                    }
                }
                let answer = await question.answer()
                group.cancelAll()
                return answer
            }
        } onCancel: {
            question.fill(.canceled)
        }
    }
}
