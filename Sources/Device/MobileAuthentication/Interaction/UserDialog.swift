/// Asks the user through the application, and waits no longer than allowed.
struct UserDialog: Sendable {
    let clock: any MonotonicClock
    /// Time for each answer.
    let patience: Duration

    /// Presents a question on the main actor and waits for the answer.
    ///
    /// Nothing is presented when the server has stopped waiting already.
    func ask<Value: Sendable>(
        _ limit: QuestionLimit, _ present: @escaping @MainActor @Sendable (AnswerSlot<Value>) -> Void
    ) async -> UserAnswer<Value> {
        var time = patience + limit.coolDown
        if let expiry = limit.expiry { time = min(time, expiry - clock.now) }
        guard time > .zero else { return .timedOut }
        let slot = AnswerSlot<Value>()
        await MainActor.run { present(slot) }
        return await wait(for: slot, atMost: time)
    }

    private func wait<Value: Sendable>(for slot: AnswerSlot<Value>, atMost time: Duration) async -> UserAnswer<Value> {
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                group.addTask { [clock] in
                    do throws(CancellationError) {
                        try await clock.sleep(for: time)
                        slot.answer(.timedOut)
                    } catch {
                        // The answer came first.
                    }
                }
                let answer = await slot.value()
                group.cancelAll()
                return answer
            }
        } onCancel: {
            slot.answer(.canceled)
        }
    }
}
