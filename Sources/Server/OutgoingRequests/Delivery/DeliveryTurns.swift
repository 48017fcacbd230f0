import OpenID
import ServerCore
import Synchronization

/// Turns of receivers: chooses which receiver with due messages is served next, so that a slow one delays no other.
///
/// As many receivers have a turn at a time as `outgoing.parallel` says, and as many again that are slow. A receiver is
/// slow while it takes longer than ``patience`` for one answer: then its seat is free for another one, while its
/// request goes on. Its next turns count as slow ones, until it answers in time. The next turn goes to the receiver
/// that has waited longest for one; a receiver that has failed waits before its next turn.
final class DeliveryTurns: Sendable {
    /// Time for one answer after which a receiver is slow.
    static let patience: Duration = .seconds(1)
    /// Time after which a turn ends, however many messages of the receiver are left.
    static let length: Duration = .seconds(5)
    /// Longest wait of a receiver that fails again and again.
    static let longestPause: Duration = .seconds(60)

    private struct Turn {
        let beganAt: ContinuousClock.Instant
        var triedAt: ContinuousClock.Instant
        /// Whether it has a seat among the slow ones.
        let isSlow: Bool
    }

    private struct Record {
        var lastTurn: UInt64 = 0
        var isSlow = false
        var failureCount = 0
        var pausedUntil: Timestamp?
    }

    private struct State {
        var running: [OutgoingReceiver: Turn] = [:]
        var records: [OutgoingReceiver: Record] = [:]
        var turnCount: UInt64 = 0
    }

    private let seatCount: Int
    private let state = Mutex(State())

    init(seatCount: Int) { self.seatCount = seatCount }

    func take(from due: [OutgoingReceiver], at now: Timestamp) -> [OutgoingReceiver] {
        let instant = ContinuousClock.now
        return state.withLock { state in
            let slow = state.running.values.filter { $0.isSlow || instant - $0.triedAt > Self.patience }.count
            var seats = (prompt: seatCount - (state.running.count - slow), slow: seatCount - slow)
            var taken: [OutgoingReceiver] = []
            for receiver in Self.inOrder(due, state) {
                var record = state.records[receiver] ?? Record()
                if let end = record.pausedUntil, now < end { continue }
                guard record.isSlow ? seats.slow > 0 : seats.prompt > 0 else { continue }
                if record.isSlow { seats.slow -= 1 } else { seats.prompt -= 1 }
                state.turnCount += 1
                record.lastTurn = state.turnCount
                state.records[receiver] = record
                state.running[receiver] = Turn(beganAt: instant, triedAt: instant, isSlow: record.isSlow)
                taken.append(receiver)
            }
            return taken
        }
    }

    private static func inOrder(_ due: [OutgoingReceiver], _ state: borrowing State) -> [OutgoingReceiver] {
        let waiting = due.filter { state.running[$0] == nil }.map { ($0, state.records[$0]?.lastTurn ?? 0) }
        return waiting.sorted { ($0.1, $0.0.kind.rawValue, $0.0.name) < ($1.1, $1.0.kind.rawValue, $1.0.name) }
            .map(\.0)
    }

    func begins(_ receiver: OutgoingReceiver) {
        state.withLock { $0.running[receiver]?.triedAt = ContinuousClock.now }
    }

    /// Notes that a receiver has answered, or has not; it waits before its next turn when it has failed, at most until
    /// `next`.
    func answered(_ receiver: OutgoingReceiver, after time: Duration, failedAt now: Timestamp?, next: Timestamp? = nil)
    {
        state.withLock { state in
            var record = state.records[receiver] ?? Record()
            record.isSlow = time > Self.patience
            if let now {
                let pause = min(.seconds(1 << min(record.failureCount, 6)), Self.longestPause)
                record.failureCount += 1
                record.pausedUntil = min(now + pause, next ?? now + pause)
            } else {
                record.failureCount = 0
                record.pausedUntil = nil
            }
            state.records[receiver] = record
        }
    }

    func hasTime(_ receiver: OutgoingReceiver) -> Bool {
        state.withLock { $0.running[receiver].map { ContinuousClock.now - $0.beganAt < Self.length } ?? false }
    }

    func end(_ receiver: OutgoingReceiver) { state.withLock { _ = $0.running.removeValue(forKey: receiver) } }
}
