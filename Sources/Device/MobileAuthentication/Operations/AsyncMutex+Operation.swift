import HardwareKeys
import UAFClient

// Operations that need the user: one at a time, in the order in which they came.
extension AsyncMutex {
    /// Runs `body` once no other operation is inside.
    ///
    /// A task that is canceled while it waits runs `body` at once, beside the one inside, so that the operation can say
    /// how it ended: ``OperationRunner`` performs no effect in it, whatever the machine asks for. Never on the caller's
    /// actor: the body may take its time.
    @concurrent
    func runInTurn<Output: Sendable, Failure: Error>(
        _ body: @Sendable () async throws(Failure) -> Output
    ) async throws(Failure) -> Output {
        guard await lockUnlessCancelled() else { return try await Self.turnedAway(body).get() }
        defer { unlock() }
        return try await body()
    }

    @concurrent
    private static func turnedAway<Output: Sendable, Failure: Error>(
        _ body: @Sendable () async throws(Failure) -> Output
    ) async -> Result<Output, Failure> {
        await OperationRunner.$isCanceledBeforeStart.withValue(true) {
            do throws(Failure) {
                return .success(try await body())
            } catch {
                return .failure(error)
            }
        }
    }
}
