import Testing

@testable import MobileAuthentication

@Suite("One run of an operation")
struct OperationRunTests {
    private enum Failure: Error, Equatable {
        case reused
        case canceled
    }

    @Test("A second start fails and the first goes on")
    func reuse() async throws {
        let run = OperationRun<Int, Failure>()
        #expect(await run.once({ .success(1) }, reuse: .reused) == .success(1))
        #expect(await run.once({ .success(2) }, reuse: .reused) == .failure(.reused))
    }

    @Test("Canceling before, during and after the run is allowed")
    func cancelAnytime() async {
        let run = OperationRun<Int, Failure>()
        run.cancel()
        let result = await run.once({ Task.isCancelled ? .failure(.canceled) : .success(1) }, reuse: .reused)
        #expect(result == .failure(.canceled))
        run.cancel()
    }

    @Test("Canceling the task that waits cancels the run")
    func cancelWaiter() async {
        let run = OperationRun<Int, Failure>()
        let begun = AnswerSlot<Void>()
        let clock = ManualClock()
        let waiter = Task {
            await run.once(
                {
                    begun.answer(.given(()))
                    do throws(CancellationError) {
                        try await clock.sleep(for: .seconds(1))
                        return .success(1)
                    } catch {
                        return .failure(.canceled)
                    }
                }, reuse: .reused)
        }
        _ = await begun.value()
        waiter.cancel()
        #expect(await waiter.value == .failure(.canceled))
    }
}
