import HardwareKeys
import UAF
import UAFClient

/// Dialog with the user through the application, with a time-out.
struct UserDialog: Sendable {
    let clock: any MonotonicClock
    /// Time-out of each answer.
    let patience: Duration

    /// Presents a question on the main actor and waits for the answer.
    ///
    /// Nothing is presented when the server has stopped waiting already.
    func ask<Value: Sendable>(
        _ limit: QuestionLimit, _ present: @escaping @MainActor @Sendable (OneShot<UserAnswer<Value>>) -> Void
    ) async -> UserAnswer<Value> {
        guard let time = time(under: limit) else { return .timedOut }
        let slot = OneShot<UserAnswer<Value>>()
        await MainActor.run { present(slot) }
        return await wait(for: slot, atMost: time)
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

    private func wait<Value: Sendable>(for slot: OneShot<UserAnswer<Value>>, atMost time: Duration) async -> UserAnswer<
        Value
    > {
        await withTaskCancellationHandler {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { [clock] in
                    do throws(CancellationError) {
                        try await clock.sleep(for: time)
                        slot.fill(.timedOut)
                    } catch {
                        // The answer came first.
                    }
                }
                let answer = await slot.value()
                group.cancelAll()
                return answer
            }
        } onCancel: {
            slot.fill(.canceled)
        }
    }
}
