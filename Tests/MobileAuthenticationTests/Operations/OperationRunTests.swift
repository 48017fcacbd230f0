import HardwareKeys
import Testing

@testable import MobileAuthentication
@testable import UAFClient

@Suite("One run of an operation")
struct OperationRunTests {
    private enum Failure: Error, Equatable {
        case reused
        case canceled
    }

    @Test("A second start fails and the first goes on")
    func reuse() async throws {
        let run = OperationRun<Int, Failure>(reuse: .failure(.reused))
        #expect(await run.result(of: { .success(1) }) == .success(1))
        #expect(await run.result(of: { .success(2) }) == .failure(.reused))
    }

    @Test("Canceling before, during and after the run is allowed")
    func cancelAnytime() async {
        let run = OperationRun<Int, Failure>(reuse: .failure(.reused))
        run.cancel()
        let result = await run.result { Task.isCancelled ? .failure(.canceled) : .success(1) }
        #expect(result == .failure(.canceled))
        run.cancel()
    }

    @Test("Canceling the task that waits cancels the run")
    func cancelWaiter() async {
        let run = OperationRun<Int, Failure>(reuse: .failure(.reused))
        let begun = OneShot<UserAnswer<Void>>()
        let clock = ManualClock()
        let waiter = Task {
            await run.result {
                begun.fill(.given(()))
                do throws(CancellationError) {
                    try await clock.sleep(for: .seconds(1))
                    return .success(1)
                } catch {
                    return .failure(.canceled)
                }
            }
        }
        _ = await begun.value()
        waiter.cancel()
        #expect(await waiter.value == .failure(.canceled))
    }
}
