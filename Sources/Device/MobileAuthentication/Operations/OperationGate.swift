/// Async mutex for operations that need the user: one at a time, in the order in which they came.
package actor OperationGate {
    private struct Visitor {
        let ticket: UInt64
        let entry: CheckedContinuation<Bool, Never>
    }

    private var isOccupied = false
    private var queue: [Visitor] = []
    private var nextTicket: UInt64 = 0

    package init() {}

    /// Runs `body` once nothing else is inside.
    ///
    /// A task that is canceled while it waits runs `body` at once, beside the one inside, so that the operation can say
    /// how it ended: ``OperationRunner`` performs no effect in it, whatever the machine asks for.
    package func pass<Output: Sendable, Failure: Error>(
        _ body: @Sendable () async throws(Failure) -> Output
    ) async throws(Failure) -> Output {
        guard await enter() else { return try await Self.turnedAway(body).get() }
        defer { leave() }
        return try await body()
    }

    private static func turnedAway<Output: Sendable, Failure: Error>(
        _ body: @Sendable () async throws(Failure) -> Output
    ) async -> Result<Output, Failure> {
        await OperationRunner.$isTurnedAway.withValue(true) {
            do throws(Failure) {
                return .success(try await body())
            } catch {
                return .failure(error)
            }
        }
    }

    /// Whether an operation is inside.
    var isBusy: Bool { isOccupied }

    /// Number of operations that wait.
    var waitingCount: Int { queue.count }

    private func enter() async -> Bool {
        guard isOccupied else {
            isOccupied = true
            return true
        }
        let ticket = nextTicket
        nextTicket += 1
        return await withTaskCancellationHandler {
            await withCheckedContinuation { entry in
                if Task.isCancelled {
                    entry.resume(returning: false)
                } else {
                    queue.append(Visitor(ticket: ticket, entry: entry))
                }
            }
        } onCancel: {
            Task { await self.giveUp(ticket) }
        }
    }

    private func giveUp(_ ticket: UInt64) {
        guard let index = queue.firstIndex(where: { $0.ticket == ticket }) else { return }
        queue.remove(at: index).entry.resume(returning: false)
    }

    private func leave() {
        if queue.isEmpty {
            isOccupied = false
        } else {
            queue.removeFirst().entry.resume(returning: true)
        }
    }
}
