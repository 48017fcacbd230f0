import Metrics
import Synchronization

/// Notifier for requests that wait for a ceremony to move on, in whichever process on the database it is moved.
///
/// Another process tells of a move by a message, which may be lost: a waiting request also looks at the database now
/// and then (``StatusPolling``). Audit subscribers listen to all moves.
package final class StatusNotifier: Sendable {
    /// Request that waits; leaves when released.
    package final class Listener: Sendable {
        /// Yields once the ceremony has moved on.
        package let moves: AsyncStream<Void>
        private let notifier: StatusNotifier
        private let id: CeremonyID
        private let number: Int

        init(notifier: StatusNotifier, id: CeremonyID, number: Int, moves: AsyncStream<Void>) {
            self.notifier = notifier
            self.id = id
            self.number = number
            self.moves = moves
        }

        deinit { notifier.leave(id, number) }
    }

    private struct Waiters {
        var number = 0
        var isFinished = false
        var streams: [CeremonyID: [Int: AsyncStream<Void>.Continuation]] = [:]
    }

    private let waiters = Mutex(Waiters())
    private let listeners = Mutex<[@Sendable () -> Void]>([])
    private let signals: ProcessSignals
    /// Requests that were woken by a move of this process, and of another one.
    private let wakeUps = (own: StatusNotifier.counter("own"), other: StatusNotifier.counter("other"))

    /// Notifies the waiting requests of this process and, by `signals`, of the other processes.
    package init(_ signals: ProcessSignals) {
        self.signals = signals
        signals.listen { [weak self] message in
            guard let self else { return }
            switch message {
            case .moved(let ceremonies):
                for ceremony in ceremonies { self.wakeUps.other.increment(by: self.wake(ceremony)) }
            case .changed(.audit): self.callListeners()
            default: break
            }
        }
    }

    package func moved(_ id: CeremonyID) {
        wakeUps.own.increment(by: wake(id))
        signals.send(.moved([id]))
    }

    /// Notifies the audit subscribers that a ceremony in band has ended.
    ///
    /// No request waits for such a ceremony, since it is known only from its end on (``StatusQuery``). So other
    /// processes are told only where they have audit subscribers, and not at once.
    package func endedInBand() {
        if callListeners() { signals.send(.changed(.audit)) }
    }

    /// Calls `listener` whenever a ceremony has moved on, from now on; it must not wait for anything.
    package func listen(_ listener: @escaping @Sendable () -> Void) { listeners.withLock { $0.append(listener) } }

    /// Wakes the waiting requests of this process, and returns their number.
    private func wake(_ id: CeremonyID) -> Int {
        callListeners()
        let waiting = waiters.withLock { $0.streams[id] ?? [:] }
        for stream in waiting.values { stream.yield() }
        return waiting.count
    }

    /// Calls the listeners; false when there is none.
    @discardableResult
    private func callListeners() -> Bool {
        let called = listeners.withLock { $0 }
        for listener in called { listener() }
        return !called.isEmpty
    }

    /// Listens for the ceremony to move on, from now until the result is released.
    package func listener(for id: CeremonyID) -> Listener {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = waiters.withLock { waiters in
            waiters.number += 1
            waiters.streams[id, default: [:]][waiters.number] = continuation
            return waiters.number
        }
        return Listener(notifier: self, id: id, number: number, moves: stream)
    }

    /// Lets each waiting request of this process look again.
    package func wakeAll() {
        for stream in waiters.withLock({ $0.streams.values.flatMap(\.values) }) { stream.yield() }
    }

    /// Whether the process is about to stop, and nothing waits any more.
    package var isFinished: Bool { waiters.withLock { $0.isFinished } }

    /// Ends all waits of this process, and those that would begin: each request gets the state that stands.
    package func finish() {
        waiters.withLock { $0.isFinished = true }
        wakeAll()
    }

    fileprivate func leave(_ id: CeremonyID, _ number: Int) {
        waiters.withLock { waiters in
            waiters.streams[id]?[number] = nil
            if waiters.streams[id]?.isEmpty == true { waiters.streams[id] = nil }
        }
    }

    private static func counter(_ process: String) -> Counter {
        Counter(label: "signet_status_wakeups_total", dimensions: [("process", process)])
    }
}
