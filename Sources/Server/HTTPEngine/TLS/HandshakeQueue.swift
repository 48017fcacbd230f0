import LoadControl
import NIOCore

/// Queue of the TLS handshakes of one event loop, which leaves time for the requests that they are made for.
///
/// A handshake costs more than a request. Beyond some load, an event loop that finished all pending handshakes before
/// it went on with requests would give every client a connection and none of them an answer. So handshakes have turns:
///
/// - Where none waits and there is room for a request, one begins at once.
/// - Waiting handshakes begin one after the other, for a ``quantum`` at a time, between which the loop reads and runs
///   requests.
/// - While there is no room (``LoadController/hasRoom(besides:)``) only one begins in each ``leastPace``, since most of
///   their requests would be refused.
/// - Connections of an address that has more than an equal part (``HandshakeShares``) get one turn in ``greedyTurns``
///   while others wait, and leave a part of the room to others while none does. An address is judged when one of its
///   connections comes, and again when its turn has come, since there may be others by then.
/// - Once the longest wait exceeds ``fairTime``, the last to come is the next: its client is the most likely to wait
///   still.
/// - A connection that has waited for the time of an answer (``OverloadSettings/answerTime``) is closed.
///
/// All of it runs on the event loop.
final class HandshakeQueue {
    /// Time in which handshakes begin before the loop looks at everything else.
    static let quantum: TimeAmount = .milliseconds(1)
    /// Time after which one begins though there is no room.
    static let leastPace: TimeAmount = .milliseconds(10)
    /// Longest wait with which they still come in order.
    static let fairTime: TimeAmount = .milliseconds(100)
    /// Time in which the first request of a client is expected once its handshake has begun.
    static let expectation: TimeAmount = .milliseconds(500)
    /// Turns of which one goes to addresses that have more than their part.
    static let greedyTurns = 4
    /// Pause between two quanta; an event loop reads nothing while it has tasks that are due.
    private static let pause: TimeAmount = .microseconds(20)
    /// A turn delayed longer than this means that the event loop was busy and has not read from its sockets.
    private static let sleeplessness: TimeAmount = .microseconds(200)
    /// Pause in which requests have their quantum, and behind them the loop has nothing due and reads.
    private static let longPause = EventLoopExecutor.quantum + .microseconds(200)
    /// Interval between checks for room.
    private static let retryPause: TimeAmount = .milliseconds(1)

    private struct Entry {
        let gate: HandshakeGate
        let since: NIODeadline
    }

    private let eventLoop: any EventLoop
    private let load: LoadController
    private let counts: HandshakeQueues.Counts
    private let patience: TimeAmount
    private var waiting = CircularBuffer<Entry>()
    /// Connections of addresses that have more than their part.
    private var greedy = CircularBuffer<Entry>()
    /// Handshakes that have begun within ``expectation``; of some the requests have come.
    private var begun = CircularBuffer<Entry>()
    private var shares = HandshakeShares()
    private var turn = 0
    /// Time at which the queue goes on; nil while it is not scheduled.
    private var due: NIODeadline?
    private var hasYielded = false
    private var isReaping = false
    private var latest: NIODeadline?

    /// A queue that asks `load` for room; `counts` counts for all queues of the listener.
    init(_ eventLoop: any EventLoop, _ load: LoadController, _ counts: HandshakeQueues.Counts) {
        self.eventLoop = eventLoop
        self.load = load
        self.counts = counts
        patience = TimeAmount(load.settings.answerTime)
    }

    /// Takes the turn of a connection; true when it has come, else ``HandshakeGate/open()`` or ``HandshakeGate/close()`` follows.
    func enter(_ gate: HandshakeGate) -> Bool {
        let now = eventLoop.now
        let isGreedy = gate.source.map { shares.add($0) } ?? false
        gate.isCounted = true
        if due == nil, hasRoom(isGreedy: isGreedy, at: now) {
            begin(gate, at: now)
            schedule(in: Self.pause)
            return true
        }
        let entry = Entry(gate: gate, since: now)
        if isGreedy { greedy.append(entry) } else { waiting.append(entry) }
        counts.changeWaiting(by: 1)
        if due == nil { schedule(in: Self.retryPause) }
        return false
    }

    /// The first request of a connection whose handshake has begun has come, or is no longer expected.
    ///
    /// The connection remains one of its address until ``expectation`` is over: else one that closes each connection after a few octets
    /// would never have more than its part.
    func settle(_ gate: HandshakeGate) {
        guard gate.isExpected else { return }
        gate.isExpected = false
        counts.changeExpected(by: -1)
    }

    /// A connection is no longer one of its address.
    func forget(_ gate: HandshakeGate) {
        guard gate.isCounted else { return }
        gate.isCounted = false
        if let source = gate.source { shares.remove(source) }
    }

    private func hasRoom(isGreedy: Bool, at now: NIODeadline) -> Bool {
        load.hasRoom(besides: counts.expected, isGreedy: isGreedy) || latest.map { now - $0 >= Self.leastPace } ?? true
    }

    private func begin(_ gate: HandshakeGate, at now: NIODeadline) {
        latest = now
        gate.isExpected = true
        counts.changeExpected(by: 1)
        begun.append(Entry(gate: gate, since: now))
        settleLate(at: now)
        if !isReaping { reap() }
    }

    /// Forgets those whose handshake has begun long ago, whether their requests have come or not.
    private func settleLate(at now: NIODeadline) {
        while let first = begun.first, now - first.since >= Self.expectation {
            begun.removeFirst()
            settle(first.gate)
            forget(first.gate)
        }
    }

    /// Settles what is late while some have begun, also when no other connection comes.
    private func reap() {
        isReaping = !begun.isEmpty
        guard let first = begun.first else { return }
        eventLoop.assumeIsolated().scheduleTask(deadline: first.since + Self.expectation) {
            self.settleLate(at: self.eventLoop.now)
            self.reap()
        }
    }

    // MARK: - Turns

    private func schedule(in time: TimeAmount) {
        due = eventLoop.now + time
        eventLoop.assumeIsolated().scheduleTask(in: time) { self.run() }
    }

    /// Opens gates for one quantum, as far as there is room; every second time it lets the loop read first where that does nothing
    /// but tasks.
    private func run() {
        let start = eventLoop.now
        hasYielded = !hasYielded && due.map { start - $0 > Self.sleeplessness } ?? false
        due = nil
        var now = start
        var isFull = false
        while !hasYielded, !isFull, now - start < Self.quantum, !isEmpty {
            // One at a time: closing takes a while, too.
            if !dropFirst(at: now) {
                isFull = !hasRoom(isGreedy: waiting.isEmpty, at: now)
                if !isFull, let entry = next(at: now) { open(entry, at: now) }
            }
            now = eventLoop.now
        }
        if !isEmpty, due == nil {
            schedule(in: hasYielded ? Self.longPause : isFull ? Self.retryPause : Self.pause)
        }
    }

    private var isEmpty: Bool { waiting.isEmpty && greedy.isEmpty }

    /// The first or last of those whose turn it is; nil when all that waited turn out to be of addresses that have too much.
    private func next(at now: NIODeadline) -> Entry? {
        turn = (turn + 1) % Self.greedyTurns
        if turn == 0 || waiting.isEmpty, let entry = Self.take(from: &greedy, at: now) { return entry }
        // Each stands behind the others once at most.
        while let entry = Self.take(from: &waiting, at: now) {
            guard let source = entry.gate.source, shares.hasMuch(source) else { return entry }
            greedy.append(entry)
        }
        return nil
    }

    private static func take(from line: inout CircularBuffer<Entry>, at now: NIODeadline) -> Entry? {
        guard let first = line.first else { return nil }
        return now - first.since > fairTime ? line.popLast() : line.popFirst()
    }

    private func open(_ entry: Entry, at now: NIODeadline) {
        counts.changeWaiting(by: -1)
        // Also one that stood behind younger ones.
        guard !entry.gate.isClosed, now - entry.since <= patience else { return leave(entry.gate) }
        load.waited(.nanoseconds((now - entry.since).nanoseconds), in: .handshakes)
        begin(entry.gate, at: now)
        entry.gate.open()
    }

    private func leave(_ gate: HandshakeGate) {
        load.shed(gate.isClosed ? .abandoned : .deadline, from: .handshakes)
        forget(gate)
        gate.close()
    }

    /// Takes out the first one when it has left, and closes it when it has waited too long; false when neither is so.
    private func dropFirst(at now: NIODeadline) -> Bool {
        func isOver(_ entry: Entry) -> Bool { entry.gate.isClosed || now - entry.since > patience }
        let entry =
            waiting.first.map(isOver) == true
            ? waiting.popFirst()
            : greedy.first.map(isOver) == true ? greedy.popFirst() : nil
        guard let entry else { return false }
        counts.changeWaiting(by: -1)
        leave(entry.gate)
        return true
    }
}

/// Number of handshakes of each address that wait, or have begun within ``HandshakeQueue/expectation``.
struct HandshakeShares {
    /// Number that is no more than an equal part, however many addresses there are.
    static let least = 8

    private var counts: [String: Int] = [:]
    private var total = 0

    /// Adds one of an address; true when it has more than an equal part with it.
    mutating func add(_ source: String) -> Bool {
        counts[source, default: 0] += 1
        total += 1
        return hasMuch(source)
    }

    /// Whether an address has more than an equal part.
    func hasMuch(_ source: String) -> Bool {
        counts[source, default: 0] > max(Self.least, total / max(1, counts.count))
    }

    /// Takes one of an address out.
    mutating func remove(_ source: String) {
        let left = counts[source, default: 1] - 1
        counts[source] = left > 0 ? left : nil
        total -= 1
    }
}
