import Locking

/// Asynchronous mutex: admits one task at a time, in the order of arrival.
package final class AsyncMutex: Sendable {
    private struct Waiter {
        let ticket: UInt64
        let entry: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var isLocked = false
        var waiters: [Waiter] = []
        var ticketCount: UInt64 = 0
    }

    private let state = Lock(State())

    package init() {}

    package var isLocked: Bool { state.withLock { $0.isLocked } }

    package var waitingCount: Int { state.withLock { $0.waiters.count } }

    /// Waits for the mutex, runs `body` and releases it; a task that is cancelled waits like any other.
    package func withLock<Output, Failure: Error>(
        _ body: () async throws(Failure) -> Output
    ) async throws(Failure) -> Output {
        _ = await enter(ticket(), givesUpWhenCancelled: false)
        defer { unlock() }
        return try await body()
    }

    /// Waits for the mutex; false, without it, for a task that is cancelled while it waits.
    ///
    /// A mutex that is free is taken, cancelled or not. Its holder calls ``unlock()``.
    package func lockUnlessCancelled() async -> Bool {
        let ticket = ticket()
        return await withTaskCancellationHandler {
            await enter(ticket, givesUpWhenCancelled: true)
        } onCancel: {
            giveUp(ticket)
        }
    }

    /// Releases the mutex, or hands it to the task that has waited longest.
    package func unlock() {
        let next = state.withLock { state -> Waiter? in
            guard !state.waiters.isEmpty else {
                state.isLocked = false
                return nil
            }
            return state.waiters.removeFirst()
        }
        next?.entry.resume(returning: true)
    }

    private func ticket() -> UInt64 {
        state.withLock { state in
            state.ticketCount += 1
            return state.ticketCount
        }
    }

    private func enter(_ ticket: UInt64, givesUpWhenCancelled: Bool) async -> Bool {
        await withCheckedContinuation { entry in
            let isAdmitted = state.withLock { state -> Bool? in
                guard state.isLocked else {
                    state.isLocked = true
                    return true
                }
                // A waiter that is cancelled after this look is found in the line by ``giveUp(_:)``.
                if givesUpWhenCancelled, Task.isCancelled { return false }
                state.waiters.append(Waiter(ticket: ticket, entry: entry))
                return nil
            }
            if let isAdmitted { entry.resume(returning: isAdmitted) }
        }
    }

    private func giveUp(_ ticket: UInt64) {
        let waiter = state.withLock { state -> Waiter? in
            guard let index = state.waiters.firstIndex(where: { $0.ticket == ticket }) else { return nil }
            return state.waiters.remove(at: index)
        }
        waiter?.entry.resume(returning: false)
    }
}
