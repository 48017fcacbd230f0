import Synchronization

/// Fair asynchronous mutex: admits one task at a time, in the order of arrival.
final class TurnQueue: Sendable {
    private struct Line {
        var isBusy = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let line = Mutex(Line())

    /// Waits for the mutex, runs `body` and releases it.
    func take<Result>(
        _ body: () async throws(SecureStorageError) -> Result
    ) async throws(SecureStorageError) -> Result {
        await enter()
        defer { leave() }
        return try await body()
    }

    private func enter() async {
        await withCheckedContinuation { continuation in
            let isFree = line.withLock { line in
                if line.isBusy {
                    line.waiting.append(continuation)
                    return false
                }
                line.isBusy = true
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    private func leave() {
        let next = line.withLock { line -> CheckedContinuation<Void, Never>? in
            guard !line.waiting.isEmpty else {
                line.isBusy = false
                return nil
            }
            return line.waiting.removeFirst()
        }
        next?.resume()
    }
}
