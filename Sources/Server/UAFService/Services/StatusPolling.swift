import LoadControl
package import ServerCore

/// Status polling: waits until an operation has another status than the caller knows, the time is over, or the server
/// is about to stop.
package struct StatusPolling: Sendable {
    /// Interval of looks at the database while `count` requests wait: another process may have moved the operation.
    ///
    /// The messages between processes tell of nearly all moves. So a thousand looks in a second are enough; ten
    /// thousand looks would be more than a database answers beside its work.
    static func interval(waiting count: Int) -> Duration { .seconds(max(1, count / 1_000)) }

    let notifier: StatusNotifier
    let clock: any WallClock
    let pause: any Pause
    /// Bound on the waiting requests; one more is answered at once.
    let waits: QueueBound

    /// The first status that the caller does not wait through, or that stands when the time is over.
    ///
    /// `look` reads the status from the database, and throws what the database throws.
    package func status<Status: Sendable>(
        of id: CeremonyID, atMost wait: Duration, through isPassing: (Status) -> Bool,
        look: () async throws(ServerError) -> Status
    ) async throws(ServerError) -> Status {
        let deadline = clock.now() + wait
        let mayWait = wait > .zero && waits.enter()
        defer { if mayWait { waits.leave() } }
        while true {
            // Listening begins before the look at the database, so that no move is missed between the two.
            let listener = notifier.listener(for: id)
            let status = try await look()
            let left = deadline - clock.now()
            guard mayWait, isPassing(status), left > .zero, !Task.isCancelled,
                !notifier.isFinished, RequestLifetime.current?.isClientGone != true
            else { return status }
            await RequestLifetime.away(pausing: true) {
                await pause.wait(for: listener.moves, atMost: min(left, Self.interval(waiting: waits.depth)))
            }
        }
    }
}
