import LoadControl
import NIOCore

/// Scheduler of the TLS handshakes of one event loop: opens and closes their gates as its ``HandshakeQueue`` says.
///
/// All of it runs on the event loop.
final class HandshakeScheduler {
    /// Time in which handshakes begin before the loop looks at everything else.
    static let quantum: TimeAmount = .milliseconds(1)
    /// Pause between two quanta; an event loop reads nothing while it has tasks that are due.
    private static let pause: TimeAmount = .microseconds(20)
    /// Delay of a turn by which it is known that the loop has done other tasks all the time, and has not read.
    private static let sleeplessness: TimeAmount = .microseconds(200)
    /// Pause in which requests have their quantum, and behind them the loop has nothing due and reads.
    private static let longPause = EventLoopExecutor.quantum + .microseconds(200)
    private static let retryPause: TimeAmount = .milliseconds(1)

    private enum State {
        case resting
        /// The next quantum begins then; `isYielding` where the last one was left to what the loop has to read.
        case scheduled(NIODeadline, isYielding: Bool)
        case running
    }

    private let eventLoop: any EventLoop
    private let load: LoadController
    private let counts: HandshakeQueues.Counts
    private var queue: HandshakeQueue
    private var gates: [HandshakeQueue.Key: HandshakeGate] = [:]
    private var state = State.resting
    private var isForgetting = false

    /// Scheduler that asks `load` for capacity; all event loops of the listener share `counts`.
    init(_ eventLoop: any EventLoop, _ load: LoadController, _ counts: HandshakeQueues.Counts) {
        self.eventLoop = eventLoop
        self.load = load
        self.counts = counts
        queue = HandshakeQueue(patience: TimeAmount(load.settings.answerTime))
    }

    /// Takes in a connection from `source`; where its turn has not come, ``HandshakeGate/open()`` or ``HandshakeGate/close()`` follows.
    func enter(_ gate: HandshakeGate, from source: String?) -> (key: HandshakeQueue.Key, begins: Bool) {
        var room: HandshakeQueue.Room?
        if case .resting = state { room = hasRoom }
        let (key, begins) = queue.enter(from: source, at: eventLoop.now, room: room)
        if begins {
            begun()
        } else {
            gates[key] = gate
            counts.changeWaiting(by: 1)
        }
        if case .resting = state { schedule(in: begins ? Self.pause : Self.retryPause) }
        return (key, begins)
    }

    /// The first request of a connection whose handshake has begun has come, or never will.
    func settle(_ key: HandshakeQueue.Key) {
        if queue.settle(key) { counts.changeExpected(by: -1) }
    }

    /// A connection was closed while it waited.
    func leave(_ key: HandshakeQueue.Key) {
        queue.leave(key)
        gates[key] = nil
    }

    func state(of key: HandshakeQueue.Key) -> HandshakeQueue.Connection? { queue.state(of: key) }

    private func hasRoom(isGreedy: Bool) -> Bool { load.hasRoom(besides: counts.expected, isGreedy: isGreedy) }

    private func begun() {
        counts.changeExpected(by: 1 - queue.forgetLate(at: eventLoop.now))
        if !isForgetting { forgetLate() }
    }

    /// Forgets what is late while some have begun, also when no other one comes.
    private func forgetLate() {
        counts.changeExpected(by: -queue.forgetLate(at: eventLoop.now))
        isForgetting = queue.nextForgetting != nil
        guard let time = queue.nextForgetting else { return }
        eventLoop.assumeIsolated().scheduleTask(deadline: time) { self.forgetLate() }
    }

    // MARK: - Quanta

    private func schedule(in time: TimeAmount, isYielding: Bool = false) {
        state = .scheduled(eventLoop.now + time, isYielding: isYielding)
        eventLoop.assumeIsolated().scheduleTask(in: time) { self.run() }
    }

    /// Opens gates for one quantum, as far as there is room; every second time it lets the loop read first where that does nothing
    /// but tasks.
    private func run() {
        let start = eventLoop.now
        if case .scheduled(let due, isYielding: false) = state, start - due > Self.sleeplessness, !queue.isEmpty {
            return schedule(in: Self.longPause, isYielding: true)
        }
        state = .running
        var isFull = false
        while !isFull, eventLoop.now - start < Self.quantum, !queue.isEmpty { isFull = !playNext() }
        state = .resting
        if !queue.isEmpty { schedule(in: isFull ? Self.retryPause : Self.pause) }
    }

    /// One at a time, since closing takes a while, too; false where there is no room.
    private func playNext() -> Bool {
        switch queue.next(at: eventLoop.now, room: hasRoom) {
        case .begin(let key, let waited):
            counts.changeWaiting(by: -1)
            load.waited(.nanoseconds(waited.nanoseconds), in: .handshakes)
            begun()
            gates.removeValue(forKey: key)?.open()
        case .drop(let key, let reason):
            counts.changeWaiting(by: -1)
            load.shed(reason, from: .handshakes)
            gates.removeValue(forKey: key)?.close()
        case .full: return false
        case .none: break
        }
        return true
    }
}
